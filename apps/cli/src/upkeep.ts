import { Fault } from './fault.ts'

/** The gateway's own tools for a data directory, loaded only when one is used. */
const upkeep = () => import('@faxdeck/gateway/upkeep')

/** What they refuse is a sentence already. */
export async function told<T>(work: (tools: Awaited<ReturnType<typeof upkeep>>) => Promise<T>): Promise<T> {
  const tools = await upkeep()
  try {
    return await work(tools)
  } catch (error) {
    throw error instanceof tools.UpkeepProblem ? new Fault(error.message) : error
  }
}

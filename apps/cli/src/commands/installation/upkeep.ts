import { Fault } from '../../fault.ts'

const notHere =
  'This command works on a data directory, but this command line was installed without the gateway. Run it where the gateway is installed, which includes faxdeck.'

/** The gateway's own tools for a data directory, loaded only when one is used. */
const upkeep = () =>
  import('@faxdeck/gateway/upkeep').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    throw isMissing ? new Fault(notHere) : error
  })

/** What they refuse is a sentence already. */
export async function withUpkeep<T>(work: (tools: Awaited<ReturnType<typeof upkeep>>) => Promise<T>): Promise<T> {
  const tools = await upkeep()
  try {
    return await work(tools)
  } catch (error) {
    throw error instanceof tools.UpkeepProblem ? new Fault(error.message) : error
  }
}

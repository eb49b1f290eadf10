import type { Output } from '../terminal/output.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { faultOf } from '../fault.ts'

interface Changed<T> {
  jobs: T[]
  refused: { id: string; error: string }[]
  exitCode: ExitCode
}

/**
 * Does the same with several faxes, one after another: one that is refused does not hold up the others, a gateway that
 * is not there or a key that may not do it does.
 */
export async function changeEach<T>(ids: readonly string[], change: (id: string) => Promise<T>): Promise<Changed<T>> {
  const changed: Changed<T> = { jobs: [], refused: [], exitCode: exitCodes.done }
  for (const id of ids) {
    try {
      changed.jobs.push(await change(id))
    } catch (error) {
      const fault = faultOf(error)
      if (!fault) throw error
      changed.refused.push({ id, error: fault.message })
      changed.exitCode = fault.exitCode
      if (fault.exitCode === exitCodes.unreachable || fault.exitCode === exitCodes.forbidden) break
    }
  }
  return changed
}

/** Says which faxes were refused, and why. */
export function noteRefused(out: Output, { refused }: Changed<unknown>): void {
  for (const { id, error } of refused) out.note(`${id}: ${error}`)
}

import { type Check, type Finding, ProviderProblem, type ProviderSettings } from '../provider.ts'
import { hasValue, needsSettings, notRun } from '../setup/ready-checks.ts'
import type { Session } from './standing-connection.ts'

/** The connection ended, or the caller's time did, after something had been asked: whether it was done is not known. */
export class EngineSilence extends Error {
  override name = 'EngineSilence'
}

const unseen = notRun('Not run: there is nothing to look for, or the switch does not say.')
const noSession = notRun('Not run: Faxdeck could not sign in at the switch.')

/** Whether what was looked for is there; undefined when there is nothing to look for. */
type Look<S> = (session: S, settings: ProviderSettings, signal: AbortSignal) => Promise<boolean | undefined>

/**
 * Checks that sign in at a telephone engine.
 * @param setting names the engine's machine; without a value nobody is asked
 */
export function sessionChecks<S extends Session>(
  setting: string,
  open: (settings: ProviderSettings, signal: AbortSignal) => Promise<S>,
): { signsIn: Check['run']; shows: (look: Look<S>) => Check['run'] } {
  const run = async (settings: ProviderSettings, signal: AbortSignal, look: Look<S>): Promise<Finding> => {
    if (!hasValue(settings, setting)) return needsSettings
    let session: S | undefined
    try {
      session = await open(settings, signal)
      const passed = await look(session, settings, signal)
      return passed === undefined ? unseen : { passed }
    } catch (error) {
      if (error instanceof ProviderProblem || error instanceof EngineSilence) {
        return { passed: false, detail: error.message }
      }
      throw error
    } finally {
      session?.end()
    }
  }
  return {
    signsIn: (settings, _host, signal) => run(settings, signal, async () => true),
    shows: (look) => async (settings, _host, signal) => {
      const found = await run(settings, signal, look)
      // That nobody could sign in is what the other check says.
      return found.detail === undefined ? found : noSession
    },
  }
}

import type { Action, Output } from './action.ts'
import { maxOutput } from './allowed.ts'

const longestMs = 10_000
/** As `timeout` of the coreutils says it. */
const timedOut = 124
const maxErrors = 4000

export interface ActionLog {
  error: (facts: object, message: string) => void
}

async function attempt(action: Action, signal: AbortSignal, log: ActionLog): Promise<Output> {
  try {
    return await action.run(signal)
  } catch (error) {
    if (!signal.aborted) log.error({ err: error, action: action.id }, 'An action failed unexpectedly.')
    const name = error instanceof Error ? error.name : 'unknown'
    return {
      code: 1,
      stdout: '',
      stderr: `The action failed unexpectedly (${name}). See the gateway log for details.\n`,
    }
  }
}

/**
 * Runs an action for at most ten seconds: it is asked to stop then, and no longer waited for. Of what it wrote the end
 * is kept. Never throws.
 */
export async function runInTime(action: Action, log: ActionLog, maxMs = longestMs): Promise<Output> {
  const limit = new AbortController()
  const { promise: late, resolve } = Promise.withResolvers<Output>()
  const timer = setTimeout(() => {
    resolve({ code: timedOut, stdout: '', stderr: `Timed out after ${maxMs / 1000} seconds.\n` })
    limit.abort()
  }, maxMs)
  try {
    const { code, stdout, stderr } = await Promise.race([late, attempt(action, limit.signal, log)])
    return { code, stdout: stdout.slice(-maxOutput), stderr: stderr.slice(-maxErrors) }
  } finally {
    clearTimeout(timer)
  }
}

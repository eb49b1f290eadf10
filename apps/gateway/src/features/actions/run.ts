/** What a run wrote, and 0 when it succeeded. */
export interface Output {
  code: number
  stdout: string
  stderr: string
}

/** One thing that may be run. None takes anything from the caller. */
export interface Action {
  /** Name on the wire. */
  id: string
  label: string
  /** What it shows, in one line. */
  about: string
  /** @param signal aborted when the time is up */
  run: (signal: AbortSignal) => Promise<Output>
}

/** What is said when all went well: one line per fact. */
export function success(lines: readonly string[]): Output {
  return { code: 0, stdout: `${lines.join('\n')}\n`, stderr: '' }
}

/** What is said when something was found wrong. */
export function wrong(sentence: string): Output {
  return { code: 1, stdout: '', stderr: `${sentence}\n` }
}

const longestMs = 10_000
/** As `timeout` of the coreutils says it. */
const timedOut = 124
/** Characters kept of what a program writes. */
export const maxOutput = 10_000
const maxErrors = 4000

interface ActionLog {
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

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

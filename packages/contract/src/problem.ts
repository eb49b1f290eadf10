/** An error that the gateway answers with. */
export interface Problem {
  status: number
  /** Names the kind of problem for people, and never changes from one occurrence to the next. */
  title: string
  /** What happened and what to do, unless the error says it more exactly. */
  sentence: string
  /** The same call may go well later. */
  retryable?: true
}

type Row = readonly [title: string, sentence: string, retryable?: 'retryable']

/** Problems of one status, by code: title, sentence, and whether the same call may go well later. */
export const problemsOf = <const R extends Readonly<Record<string, Row>>>(status: number, rows: R) => {
  const problems = Object.entries<Row>(rows).map(([code, [title, sentence, retryable]]) => {
    const problem: Problem = { status, title, sentence, ...(retryable && { retryable: true }) }
    return [code, problem] as const
  })
  return Object.fromEntries(problems) as Readonly<Record<keyof R, Problem>>
}

/** An error that the gateway answers with. */
export interface Problem {
  status: number
  /** Names the kind of problem for people, and never changes from one occurrence to the next. */
  title: string
  /** What happened and what to do, where nobody knows it more exactly. */
  sentence: string
  /** The same call may go well later. */
  retryable?: true
}

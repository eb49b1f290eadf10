/** What a move of a fax on the test line records. */
export const moveOf = (jobId: string, { state = 'submitting', status = 'in_progress' } = {}) => ({
  job_id: jobId,
  backend: 'testline',
  provider: 'testline',
  status,
  state,
  pages_confirmed: null,
})

export const failureOf = (jobId: string, error: string) => ({
  ...moveOf(jobId, { status: 'FAILED' }),
  error,
  kind: null,
})

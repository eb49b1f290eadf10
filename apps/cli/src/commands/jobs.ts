import { type JobSummary, routes } from '@faxdeck/contract'
import { command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { usageFault } from '../fault.ts'
import { stateCell, timeOf } from '../fax-lines.ts'
import { cursor, limit, limitOf } from '../limit.ts'

const states = ['queued', 'in_progress', 'SUCCESS', 'FAILED', 'attention', 'held']

const rowOf = (job: JobSummary) => [
  job.id,
  job.to_number,
  stateCell(job),
  String(job.pages ?? ''),
  job.backend,
  timeOf(job.created_at),
  job.held?.sentence ?? job.error ?? '',
]

export const jobs = command({
  name: 'jobs',
  takes: '',
  count: [0, 0],
  summary: 'List sent faxes, newest first',
  about: 'Numbers are masked. Requires an administrator key.',
  options: {
    status: { type: 'string', value: '<state>', choices: states, help: 'Only these.' },
    provider: { type: 'string', value: '<id>', help: 'Only those of one provider.' },
    query: { type: 'string', short: 'q', value: '<text>', help: 'The start of an id, the end of a number, or words.' },
    from: { type: 'string', value: '<day>', help: 'From this day on, such as 2026-11-21.' },
    to: { type: 'string', value: '<day>', help: 'Until this day.' },
    limit,
    cursor,
    all: { type: 'boolean', help: 'Page after page, to the end.' },
  },
  examples: ['faxdeck jobs --status FAILED --from 2026-11-01', 'faxdeck jobs --all --json'],
  async run({ options }, { client, out }) {
    const { status, provider: backend, query: q, from, to: to_date } = options
    const filter = routes.listJobs.query
      .omit({ limit: true, cursor: true })
      .safeParse({ status, backend, q, from, to_date })
    if (!filter.success) {
      throw usageFault(`The filter does not fit: --status is one of ${states.join(', ')}; days are written 2026-11-21.`)
    }
    const found: JobSummary[] = []
    const page = { ...filter.data, limit: options.all ? 200 : limitOf(options.limit) }
    let next: string | null = options.cursor ?? null
    let total: string
    do {
      const answer = await client.listJobs({ query: { ...page, ...(next === null ? {} : { cursor: next }) } })
      found.push(...answer.jobs)
      next = answer.next_cursor
      total = `${answer.total_is_minimum ? 'more than ' : ''}${answer.total}`
      if (options.all) out.progress(`${found.length} of ${total}…`)
    } while (options.all && next !== null)
    out.answer({ jobs: found, next_cursor: next }, () => {
      if (found.length > 0) out.table(['Fax', 'To', 'State', 'Pages', 'Provider', 'Since', 'Message'], found.map(rowOf))
    })
    out.note(next === null ? `${found.length} shown.` : `${found.length} of ${total}. The next page: --cursor ${next}`)
    return exitCodes.done
  },
})

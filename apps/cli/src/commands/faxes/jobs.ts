import { type Fax, routes } from '@faxdeck/contract'
import { command, flag, option } from '../../command.ts'
import { usageFault } from '../../fault.ts'
import { changedFax, stateCell, timeOf } from '../../terminal/fax-lines.ts'
import { cursor, limit, limitOf } from '../../calls/limit.ts'

const states = ['queued', 'in_progress', 'waiting', 'SUCCESS', 'FAILED', 'attention', 'held']

const rowOf = (fax: Fax & { to_number: string }) => [
  fax.id,
  fax.to_number,
  stateCell(fax),
  String(fax.pages ?? ''),
  fax.backend,
  timeOf(fax.created_at),
  fax.held?.sentence ?? fax.error ?? '',
]

export const jobs = command({
  name: 'jobs',
  summary: 'List sent faxes, newest first',
  about: 'Lists the faxes that your key sees, or all with an administrator key. Numbers are masked.',
  options: {
    status: option('<state>', 'Only faxes in this state; can be repeated.', { multiple: true, choices: states }),
    provider: option('<id>', 'Only faxes sent through this provider.'),
    query: option('<text>', 'The beginning of an id, the end of a number, or words to search for.', { short: 'q' }),
    from: option('<day>', 'From this day on, such as 2026-11-21.'),
    to: option('<day>', 'Until this day.'),
    reference: option('<text>', 'Only faxes with this reference.'),
    limit,
    cursor,
    all: flag('All pages of the list, not only the first.'),
  },
  examples: ['faxdeck jobs --status FAILED --status attention --from 2026-11-01', 'faxdeck jobs --all --json'],
  async run({ options }, { client, out }) {
    const { status, provider: backend, query: q, reference, from, to: to_date } = options
    const filter = routes.listFaxes.query
      .omit({ limit: true, cursor: true })
      .safeParse({ status, backend, q, reference, from, to_date })
    if (!filter.success) {
      throw usageFault(
        `The filter is not valid: --status must be one of ${states.join(', ')}; write days like 2026-11-21.`,
      )
    }
    const found: ReturnType<typeof changedFax>[] = []
    const page = { ...filter.data, limit: options.all ? 200 : limitOf(options.limit) }
    let next: string | null = options.cursor ?? null
    do {
      const answer = await client.listFaxes({ query: { ...page, ...(next === null ? {} : { cursor: next }) } })
      found.push(...answer.faxes.map(changedFax))
      next = answer.next_cursor
      if (options.all) out.progress(`${found.length}…`)
    } while (options.all && next !== null)
    out.answer({ jobs: found, next_cursor: next }, () => {
      if (found.length > 0) out.table(['Fax', 'To', 'State', 'Pages', 'Provider', 'Since', 'Message'], found.map(rowOf))
    })
    out.note(next === null ? `${found.length} shown.` : `${found.length} shown. The next page: --cursor ${next}`)
  },
})

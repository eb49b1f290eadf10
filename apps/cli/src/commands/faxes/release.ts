import type { JobSummary } from '@faxdeck/contract'
import { command, type Desk, flag } from '../../command.ts'
import { changeEach, noteRefused } from '../../calls/each-job.ts'
import { usageFault } from '../../fault.ts'
import { stateCell } from '../../terminal/fax-lines.ts'

/** The ids of every held fax; with `unlisted`, only of those of which no provider lists a fax to the number. */
async function heldIds({ client, out }: Desk, unlisted: boolean): Promise<string[]> {
  const held: JobSummary[] = []
  let cursor: string | null = null
  do {
    const page: { jobs: JobSummary[]; next_cursor: string | null } = await client.listJobs({
      query: { status: 'held', limit: 200, ...(cursor === null ? {} : { cursor }) },
    })
    held.push(...page.jobs)
    cursor = page.next_cursor
    out.progress(`${held.length} held…`)
  } while (cursor !== null)
  const isUnlisted = (job: JobSummary) => job.held?.asked_at !== null && job.held?.found.length === 0
  return held.filter((job) => !unlisted || isUnlisted(job)).map(({ id }) => id)
}

export const release = command({
  name: 'release',
  takes: '[<fax>…]',
  max: 1000,
  summary: 'Send faxes that are held since a restore',
  about:
    'A fax that was sent after the backup goes out a second time: look at faxdeck jobs --status held first, and cancel what has arrived. Requires an administrator key.',
  options: {
    all: flag('Every held fax.'),
    unlisted: flag('Every held fax for which the provider lists no fax to the same number since the backup.'),
  },
  examples: ['faxdeck release 3f2a9c0b7d5e41868a1c6f0e92b4d7a5', 'faxdeck release --unlisted'],
  async run({ words, options }, desk) {
    const { client, out } = desk
    const bulk = options.all === true || options.unlisted === true
    if (bulk === words.length > 0) throw usageFault('Name the faxes to release, or give --all or --unlisted.')
    const ids = bulk ? await heldIds(desk, options.all !== true) : words
    const changed = await changeEach(ids, (id) => client.releaseJob({ params: { id } }))
    const { jobs, refused, exitCode } = changed
    out.answer({ released: jobs, refused }, () => {
      for (const job of jobs) out.line(`${job.id} to ${job.to_number}: `, stateCell(job))
    })
    noteRefused(out, changed)
    return exitCode
  },
})

import { setTimeout as pause } from 'node:timers/promises'
import type { Fax, JobSummary } from '@faxdeck/contract'
import { command, type Desk } from '../command.ts'
import type { ExitCode } from '../exit-codes.ts'
import { outcomeOf, shownFax, stateCell, timeOf } from '../fax-lines.ts'
import { follow, secondsOf, within } from '../follow.ts'
import { numbersOption } from './numbers-option.ts'

const betweenMs = 2000
const newest = 100

type Seen = Pick<JobSummary, 'id' | 'status' | 'needs_attention' | 'error' | 'updated_at'> & { to: string }

function tell({ out }: Desk, seen: Seen, whole: unknown): void {
  out.answer(whole, () => {
    out.line(`${timeOf(seen.updated_at)}  ${seen.id}  ${seen.to}  `, stateCell(seen), `  ${seen.error ?? ''}`)
  })
}

/** Tells what changes among the newest faxes until the program is ended. */
async function watchAll(desk: Desk): Promise<never> {
  const known = new Map<string, string>()
  for (let first = true; ; first = false) {
    const { jobs } = await desk.client.listJobs({ query: { limit: newest } })
    for (const job of jobs.toReversed()) {
      const changed = known.get(job.id) !== `${job.status} ${job.updated_at}`
      known.set(job.id, `${job.status} ${job.updated_at}`)
      if (changed && !first) tell(desk, { ...job, to: job.to_number }, job)
    }
    if (known.size > newest * 10) for (const id of [...known.keys()].slice(0, -newest * 2)) known.delete(id)
    desk.out.progress(`Watching ${desk.url}. Ctrl-C ends it.`)
    await pause(betweenMs)
  }
}

export const watch = command({
  name: 'watch',
  takes: '[<fax>…]',
  count: [0, 1000],
  summary: 'Follow faxes until their outcome is known',
  about:
    'Each change is a line, under --json an object. Without a fax it tells what happens to all, until it is ended; that requires an administrator key.',
  options: { within, numbers: numbersOption },
  examples: ['faxdeck watch 3f2a9c0b7d5e41868a1c6f0e92b4d7a5', 'faxdeck watch --json | jq .status'],
  async run({ words, options }, desk): Promise<ExitCode> {
    const seconds = secondsOf(options.within)
    if (words.length === 0) return watchAll(desk)
    const onChange = (fax: Fax) => {
      const shown = shownFax(fax, options.numbers === true)
      tell(desk, shown, shown)
    }
    const onWait = (open: number) => desk.out.progress(`Waiting for ${open} of ${words.length}…`)
    return outcomeOf(await follow(desk.client, words, { seconds, onChange, onWait }))
  },
})

import { numbersOption } from '../sending/page-options.ts'
import type { Job } from '@faxdeck/contract'
import { command, flag } from '../../command.ts'
import { faxHeading, faxRow, outcomeOf, shownFax, stateCell, timeOf } from '../../terminal/fax-lines.ts'
import type { Output } from '../../terminal/output.ts'
import { exitCodes } from '../../exit-codes.ts'

function showHistory(job: Job, out: Output): void {
  out.line(`${job.id} to ${job.to_number} through ${job.backend}: `, stateCell(job))
  out.table(
    ['When', 'What happened'],
    job.timeline.map(({ at, sentence }) => [timeOf(at), sentence]),
  )
}

export const status = command({
  name: 'status',
  takes: '<fax>…',
  max: 1000,
  summary: 'Show the state of faxes',
  about: 'A fax is SUCCESS only once the provider has confirmed it. The exit code reflects the outcome of the faxes.',
  options: {
    history: flag('Print the whole history. Requires an administrator key.'),
    numbers: numbersOption,
  },
  examples: [
    'faxdeck status 3f2a9c0b7d5e41868a1c6f0e92b4d7a5',
    'faxdeck status 3f2a9c0b7d5e41868a1c6f0e92b4d7a5 --history',
  ],
  async run({ words, options }, { client, out }) {
    if (options.history) {
      const jobs = await Promise.all(words.map((id) => client.getJob({ params: { id } })))
      out.answer(jobs, () => {
        for (const job of jobs) showHistory(job, out)
      })
      return exitCodes.done
    }
    const faxes = await Promise.all(words.map((id) => client.getFax({ params: { id } })))
    const shows = options.numbers === true
    out.answer(
      faxes.map((fax) => shownFax(fax, shows)),
      () =>
        out.table(
          faxHeading,
          faxes.map((fax) => faxRow(fax, shows)),
        ),
    )
    return outcomeOf(faxes)
  },
})

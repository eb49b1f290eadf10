import { randomUUID } from 'node:crypto'
import { command, flag, option } from '../../command.ts'
import { changeEach, noteRefused } from '../../calls/each-job.ts'
import { exitCodes } from '../../exit-codes.ts'
import { changedFax, outcomeOf, stateCell } from '../../terminal/fax-lines.ts'
import { follow, secondsOf, wait, within } from '../../calls/follow.ts'
import { unlikelyChoice, unlikelyOption, unreadableOf, unreadableOption } from '../sending/page-options.ts'

export const resend = command({
  name: 'resend',
  takes: '<fax>…',
  max: 1000,
  summary: 'Send finished faxes again',
  about:
    'Each becomes a new fax of the same document to the same number. To be able to repeat the command safely after a broken connection, give it an --idempotency-key of your own from the start.',
  options: {
    wait,
    'idempotency-key': option(
      '<key>',
      'A key of your own. For a day, repeating the command with it returns the first faxes instead of sending again.',
    ),
    ...unreadableOption,
    ...unlikelyOption,
    force: flag(
      'Send another copy although one was delivered or is on its way, or no fax answers at the number. Without this option, it is refused.',
    ),
    within,
  },
  examples: ['faxdeck resend 3f2a9c0b7d5e41868a1c6f0e92b4d7a5 --wait'],
  async run({ words, options }, desk) {
    const { client, out } = desk
    const seconds = secondsOf(options.within)
    const key = options['idempotency-key'] ?? randomUUID()
    const body = { ...unreadableOf(options), ...unlikelyChoice(options), ...(options.force && { force: true }) }
    const changed = await changeEach(words, async (id) => {
      const headers = { 'idempotency-key': `${key}:${id}` }
      return { ...changedFax(await client.resendFax({ params: { id }, body }, { headers })), parent_id: id }
    })
    const { jobs, refused, exitCode } = changed
    out.answer({ faxes: jobs, refused }, () => {
      const rows = jobs.map((job) => [job.id, job.to_number, stateCell(job), job.parent_id])
      if (rows.length > 0) out.table(['Fax', 'To', 'State', 'Original'], rows)
    })
    noteRefused(out, changed)
    const outcome = options.wait && jobs.length > 0 ? outcomeOf(await follow(jobs, seconds, desk)) : exitCodes.done
    return exitCode === exitCodes.done ? outcome : exitCode
  },
})

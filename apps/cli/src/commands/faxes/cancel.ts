import { command } from '../../command.ts'
import { changeEach, noteRefused } from '../../calls/each-job.ts'
import { changedFax, stateCell } from '../../terminal/fax-lines.ts'

export const cancel = command({
  name: 'cancel',
  takes: '<fax>…',
  max: 1000,
  summary: 'Cancel faxes that have not been sent yet',
  about:
    'A fax can be canceled while it waits, between two attempts, or when the provider confirms that it will not be sent. Otherwise the request is refused and the fax continues.',
  examples: ['faxdeck cancel 3f2a9c0b7d5e41868a1c6f0e92b4d7a5'],
  async run({ words }, { client, out }) {
    const changed = await changeEach(words, async (id) => changedFax(await client.cancelFax({ params: { id } })))
    const { jobs, refused, exitCode } = changed
    out.answer({ cancelled: jobs, refused }, () => {
      for (const job of jobs) out.line(`${job.id} to ${job.to_number}: `, stateCell(job), `, ${job.error ?? ''}`)
    })
    noteRefused(out, changed)
    return exitCode
  },
})

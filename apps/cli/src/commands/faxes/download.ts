import { command, flag } from '../../command.ts'
import { forceOption, saveAnswer } from '../../terminal/write-file.ts'

export const download = command({
  name: 'download',
  takes: '<fax> [<file>]',
  summary: 'Save the document of a received fax as PDF',
  about:
    'Without a name, the file is named after the fax; - writes to standard output. Only your user can read the file.',
  options: {
    sent: flag('The fax was sent, not received. Requires an administrator key.'),
    force: forceOption,
  },
  examples: [
    'faxdeck download 3f2a9c0b7d5e41868a1c6f0e92b4d7a5 letter.pdf',
    'faxdeck download 3f2a9c0b7d5e41868a1c6f0e92b4d7a5 - | lp',
  ],
  async run({ words: [id = '', path = `${id}.pdf`], options }, { client, out }) {
    out.progress('Fetching the document…')
    const input = { params: { id } }
    const document = await (options.sent ? client.getJobPdf(input) : client.getInboundPdf(input))
    await saveAnswer(document, { path, force: options.force, out, facts: { id } })
  },
})

import { command } from '../../command.ts'
import { exitCodes } from '../../exit-codes.ts'
import { writeWhole } from '../../terminal/write-file.ts'

export const download = command({
  name: 'download',
  takes: '<fax> [<file>]',
  count: [1, 2],
  summary: 'Save the document of a received fax as PDF',
  about:
    'Without a name, the file is named after the fax; - writes to standard output. Only your user can read the file.',
  options: {
    sent: { type: 'boolean', help: 'The fax was sent, not received. Requires an administrator key.' },
    force: { type: 'boolean', short: 'f', help: 'Overwrite an existing file.' },
  },
  examples: [
    'faxdeck download 3f2a9c0b7d5e41868a1c6f0e92b4d7a5 letter.pdf',
    'faxdeck download 3f2a9c0b7d5e41868a1c6f0e92b4d7a5 - | lp',
  ],
  async run({ words: [id = '', path = `${id}.pdf`], options }, { client, out }) {
    out.progress('Fetching the document…')
    const input = { params: { id } }
    const document = await (options.sent ? client.getJobPdf(input) : client.getInboundPdf(input))
    const bytes = new Uint8Array(await document.arrayBuffer())
    if (path === '-') {
      out.raw(bytes)
      return exitCodes.done
    }
    await writeWhole(path, bytes, options.force === true)
    out.answer({ id, path, bytes: bytes.length }, () => out.line(path))
    return exitCodes.done
  },
})

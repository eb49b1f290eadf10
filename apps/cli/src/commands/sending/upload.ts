import { command, option } from '../../command.ts'
import { timeOf } from '../../terminal/fax-lines.ts'
import { readPaper } from '../../terminal/paper.ts'

export const upload = command({
  name: 'upload',
  takes: '<document>',
  summary: 'Upload a document for an assistant to fax, and print its id',
  about: 'For an hour, an assistant with the same key can pass the id to quote_fax and send_fax.',
  options: { name: option('<name>', 'The document name that people see.') },
  examples: ['faxdeck upload letter.pdf'],
  async run({ words: [document = ''], options }, { client, out }) {
    const file = await readPaper(document, options.name)
    const kept = await client.uploadDocument({ form: { file } })
    out.answer(kept, () => out.line(kept.id))
    out.note(`Valid for the same key until ${timeOf(kept.expires_at)}.`)
  },
})

import { command } from '../../command.ts'
import { timeOf } from '../../terminal/fax-lines.ts'
import { readPaper } from '../../terminal/paper.ts'

export const upload = command({
  name: 'upload',
  takes: '<document>',
  summary: 'Hand a document over for an assistant to fax, and print its id',
  about: 'An assistant that works with the same key gives the id to quote_fax and send_fax, for an hour.',
  options: { name: { type: 'string', value: '<name>', help: 'The document name that people see.' } },
  examples: ['faxdeck upload letter.pdf'],
  async run({ words: [document = ''], options }, { client, out }) {
    const file = await readPaper(document, options.name)
    const kept = await client.uploadDocument({ form: { file } })
    out.answer(kept, () => out.line(kept.id))
    out.note(`Good for the same key until ${timeOf(kept.expires_at)}.`)
  },
})

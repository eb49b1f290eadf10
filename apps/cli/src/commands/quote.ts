import { command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { readPaper } from '../paper.ts'

export const quote = command({
  name: 'quote',
  takes: '<document>',
  count: [1, 1],
  summary: 'Pages and predicted minutes of a document; nothing is sent',
  options: {},
  examples: ['faxdeck quote letter.pdf'],
  async run({ words: [document = ''] }, { client, out }) {
    const file = await readPaper(document)
    out.progress('Preparing the pages…')
    const said = await client.quoteFax({ form: { file } })
    out.answer(said, () => {
      const { pages, minutes, seconds, seconds_at_33600: fast } = said
      const call = `about ${Math.ceil(seconds)} s at 14,400 bit/s, ${Math.ceil(fast)} s at 33,600 bit/s`
      out.line(
        `${pages} ${pages === 1 ? 'page' : 'pages'}, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}: ${call}.`,
      )
    })
    return exitCodes.done
  },
})

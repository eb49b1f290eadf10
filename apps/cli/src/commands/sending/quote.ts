import { command } from '../../command.ts'
import { readPaper } from '../../terminal/paper.ts'
import { pageFieldsOf, pageOptions, unlikelyField, unlikelyOption } from './page-options.ts'

export const quote = command({
  name: 'quote',
  takes: '<document> [<number>]',
  summary: 'Show the pages and predicted minutes of a document; nothing is sent',
  about: 'With a cover page, the number is the one that is printed on it.',
  options: { ...pageOptions, ...unlikelyOption },
  examples: ['faxdeck quote letter.pdf', 'faxdeck quote letter.pdf +15555550123 --cover formal'],
  async run({ words: [document = '', to], options }, { client, out }) {
    const pages = { ...pageFieldsOf(options), ...unlikelyField(options) }
    const file = await readPaper(document)
    out.progress('Preparing the pages…')
    const said = await client.quoteFax({ form: { file, ...pages, ...(to === undefined ? {} : { to }) } })
    out.answer(said, () => {
      const { pages: count, minutes, seconds, seconds_at_33600: fast } = said
      const call = `about ${Math.ceil(seconds)} s at 14,400 bit/s, ${Math.ceil(fast)} s at 33,600 bit/s`
      out.line(
        `${count} ${count === 1 ? 'page' : 'pages'}, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}: ${call}.`,
      )
      for (const { sentence } of said.page_notes) out.line(sentence)
      if (said.drawn_by_provider) {
        out.line('The provider draws the pages from the document itself, so they may look different on arrival.')
      }
    })
  },
})

import { command, option } from '../../command.ts'
import { unlikelyChoice, unlikelyOption } from './page-options.ts'
import { forceOption, saveAnswer } from '../../terminal/write-file.ts'

export const separator = command({
  name: 'separator',
  takes: '<number> [<file>]',
  summary: 'Make a separator sheet to print, as PDF',
  about:
    'Put the sheet before the pages of one fax in a pile that you scan as a whole; "faxdeck split" sends them to the number on it. Without a name, the file is separator-sheet.pdf; - writes to standard output.',
  options: {
    reference: option('<text>', 'The name of the fax’s document.'),
    ...unlikelyOption,
    force: forceOption,
  },
  examples: ['faxdeck separator +15555550123 --reference "Ann Miller"', 'faxdeck separator +15555550123 - | lp'],
  async run({ words: [to = '', path = 'separator-sheet.pdf'], options }, { client, out }) {
    const { reference } = options
    const body = { to, ...(reference === undefined ? {} : { reference }), ...unlikelyChoice(options) }
    const sheet = await client.printSeparator({ body })
    await saveAnswer(sheet, { path, force: options.force, out })
  },
})

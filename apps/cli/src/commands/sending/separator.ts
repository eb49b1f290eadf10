import { command } from '../../command.ts'
import { exitCodes } from '../../exit-codes.ts'
import { writeWhole } from '../../terminal/write-file.ts'

export const separator = command({
  name: 'separator',
  takes: '<number> [<file>]',
  count: [1, 2],
  summary: 'Make a separator sheet to print, as PDF',
  about:
    'Put the sheet before the pages of one fax in a pile that you scan as a whole; "faxdeck split" sends them to the number on it. Without a name, the file is separator-sheet.pdf; - writes to standard output.',
  options: {
    reference: { type: 'string', value: '<text>', help: 'The name of the fax’s document.' },
    force: { type: 'boolean', short: 'f', help: 'Overwrite an existing file.' },
  },
  examples: ['faxdeck separator +15555550123 --reference "Ann Miller"', 'faxdeck separator +15555550123 - | lp'],
  async run({ words: [to = '', path = 'separator-sheet.pdf'], options }, { client, out }) {
    const { reference } = options
    const sheet = await client.printSeparator({ body: { to, ...(reference === undefined ? {} : { reference }) } })
    const bytes = new Uint8Array(await sheet.arrayBuffer())
    if (path === '-') {
      out.raw(bytes)
      return exitCodes.done
    }
    await writeWhole(path, bytes, options.force === true)
    out.answer({ path, bytes: bytes.length }, () => out.line(path))
    return exitCodes.done
  },
})

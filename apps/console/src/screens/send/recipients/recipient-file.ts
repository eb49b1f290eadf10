import { readRecipients, readTable } from '@faxdeck/contract/recipients'

const named = /\.(csv|tsv|tab|vcf|vcard)$/i
const workbook = /\.(xlsx|xlsm|xls|ods)$/i
/** What the file chooser offers. */
export const recipientFiles = '.csv,.tsv,.tab,.txt,.vcf,.vcard,.xlsx,.xls,.ods'

/** Text as programs write it: UTF-8, UTF-16 with its mark, otherwise the encoding of Windows. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

/** The fax numbers of vCards (RFC 6350) as CSV. A number that is not marked as a fax number may be anybody's telephone. */
function cardsAsCsv(text: string): string {
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  const rows = unfolded
    .split(/^BEGIN:VCARD\s*$/im)
    .slice(1)
    .flatMap((card) => {
      const [, name = ''] = /^(?:[\w-]+\.)?FN(?:;[^:\n]*)?:(.*)$/im.exec(card) ?? []
      const faxes = [...card.matchAll(/^(?:[\w-]+\.)?TEL;([^:\n]*):(?:tel:)?(.*)$/gim)].filter(([, of]) =>
        /\bfax\b/i.test(of ?? ''),
      )
      const label = quoted(name.trim().replace(/\\([,;\\])/g, '$1'))
      return faxes.length === 0 ? [`,${label}`] : faxes.map(([, , number = '']) => `${quoted(number.trim())},${label}`)
    })
  return ['fax,name', ...rows].join('\n')
}

/** The list of recipients in a file, as `readRecipients` takes it, or why there is none and what to do. */
export async function readRecipientFile(file: File): Promise<{ text: string } | { problem: string }> {
  if (workbook.test(file.name))
    return {
      problem: `“${file.name}” is a workbook. Save it as CSV in your spreadsheet program, then choose the CSV file.`,
    }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { problem: `“${file.name}” could not be read. It may have been moved; choose it again.` }
  const read = decode(new Uint8Array(bytes))
  const text = /^\s*BEGIN:VCARD/i.test(read) ? cardsAsCsv(read) : read
  if (readTable(text) || readRecipients(text).recipients.length > 0) return { text }
  return {
    problem: `“${file.name}” has no fax number. Name its columns in the first row: fax, name, reference. Of contacts, only numbers marked as fax are taken.`,
  }
}

/** Whether a file that was given as the document is rather a list of recipients: half of its rows or more have a number. */
export async function looksLikeRecipients(file: File): Promise<boolean> {
  if (!named.test(file.name)) return false
  const read = await readRecipientFile(file)
  if ('problem' in read) return false
  const { recipients, refused } = readRecipients(read.text)
  return recipients.length > 1 && recipients.length >= refused.length
}

import { readRecipients } from '@faxdeck/contract/recipients'
import { describe, expect, it } from 'vitest'
import { looksLikeRecipients, readRecipientFile } from './recipient-file.ts'

const listIn = async (file: File) => {
  const read = await readRecipientFile(file)
  if ('problem' in read) throw new Error(read.problem)
  return readRecipients(read.text)
}

describe('a file of recipients', () => {
  it('is CSV or text in the encodings that spreadsheets write', async () => {
    const csv = 'name;fax\nDr. Müller;+15555550123\n'
    const windows = Uint8Array.from(csv, (letter) => letter.charCodeAt(0))
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(Uint16Array.from(csv, (letter) => letter.charCodeAt(0)).buffer),
    ])
    for (const content of [csv, windows, utf16]) {
      const { recipients } = await listIn(new File([content], 'practices.csv'))
      expect(recipients).toMatchObject([{ to: '+15555550123', name: 'Dr. Müller' }])
    }
  })

  it('is contacts, of which only fax numbers are taken', async () => {
    const card = (lines: string[]) => ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')
    const both = card([
      'FN:Kim\\, Jane',
      'TEL;TYPE=CELL:+1 555 555 0100',
      'item1.TEL;TYPE=WORK,FAX:+1 555 555',
      '  0123',
    ])
    const voice = card(['FN:Omar Haddad', 'TEL;TYPE=CELL:+15555550101'])
    const { recipients, refused } = await listIn(new File([both, voice], 'contacts.vcf'))
    expect(recipients).toMatchObject([{ to: '+1 555 555 0123', name: 'Kim, Jane' }])
    expect(refused).toHaveLength(1)
  })

  it('says what to do with a workbook, and with a file without numbers', async () => {
    expect(await readRecipientFile(new File(['PK'], 'list.xlsx'))).toMatchObject({
      problem: expect.stringContaining('Save it as CSV'),
    })
    expect(await readRecipientFile(new File(['a,b'], 'list.csv'))).toMatchObject({
      problem: expect.stringContaining('has no fax number'),
    })
  })

  it('is recognized where it is given as the document, unlike a table with a number in it', async () => {
    const rows = (lines: string[]) => new File([lines.join('\n')], 'list.csv')
    expect(await looksLikeRecipients(rows(['fax,name', '+15555550123,Kim', '+15555550124,Lee']))).toBe(true)
    expect(await looksLikeRecipients(rows(['item,price', 'bed,12', 'table,14', 'call,+15555550124']))).toBe(false)
    expect(await looksLikeRecipients(new File(['+15555550123\n+15555550124'], 'letter.txt'))).toBe(false)
  })
})

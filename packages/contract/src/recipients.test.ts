import { describe, expect, it } from 'vitest'
import { dropDuplicates, numberKey, readRecipients, readTable } from './recipients.ts'

const one = '+15555550123'
const two = '+15555550188'
const read = (text: string) => {
  const { recipients, refused } = readRecipients(text)
  return { found: recipients.map(({ to, name, reference }) => [to, name, reference]), refused }
}
const plain = (...numbers: string[]) => numbers.map((to) => [to, null, null])

describe('a list of recipients', () => {
  it.each([
    ['lines', `${one}\n${two}\n`],
    ['lines of Windows, with empty ones', `\r\n${one}\r\n\r\n${two}\r\n`],
    ['commas', `${one}, ${two}`],
    ['semicolons and commas', `${one}; ${two},`],
    ['JSON', `["${one}", {"to": "${two}"}]`],
    ['a cell that holds several', `${one};"${two}"`],
    ['cells that a spreadsheet must not calculate', `'${one}\n'${two}`],
    ['characters that nobody sees', `\u202a${one}\u202c\n${two}`],
  ])('may be %s', (_how, text) => {
    expect(read(text)).toEqual({ found: plain(one, two), refused: [] })
  })

  it('keeps the names beside the numbers, whichever column they stand in', () => {
    const found = [
      [one, 'Doe, Jane', 'A-17'],
      [two, 'Lakeside "North"', null],
    ]
    expect(read(`Doe, Jane\t${one}\tA-17\nLakeside "North"\t${two}`).found).toEqual(found)
    expect(read(`fax,name,ref\n${one},"Doe, Jane",A-17\n${two},"Lakeside ""North"""`).found).toEqual(found)
    expect(read(`ID;Company;Phone;Fax No.\nA-17;Doe, Jane;+15555550100;${one}`).found).toEqual([found[0]])
    expect(read(JSON.stringify([{ to: one, name: 'Doe, Jane', reference: 'A-17' }])).found).toEqual([found[0]])
  })

  it('names each row without a number, and why', () => {
    const { found, refused } = read(`${one}\n12345\nAnn Miller\n1.55556E+10\n\nBob;${one};${two}`)
    expect(found).toEqual(plain(one))
    expect(refused.map(({ row }) => row)).toEqual([2, 3, 4, 6])
    expect(refused.map(({ reason }) => reason.split(/[.:]/)[0])).toEqual([
      'Not a fax number',
      'Not a fax number',
      'The spreadsheet has shortened this number',
      'This row has more than one number',
    ])
    expect(read(`fax,name\n,Ann\n`).refused).toMatchObject([
      { row: 2, text: '', reason: 'There is no fax number in this row.' },
    ])
    expect(read('[{"name":"Ann"},17,null]').refused).toHaveLength(3)
  })

  it('is a table whose columns are guessed, and read as somebody says', () => {
    const text = `Praxis;Telefon;Telefax;Kunde\nDr. Kim;${two};${one};K-1\nDr. Lee;;12;K-2\n`
    const table = readTable(text)
    expect(table?.columns).toEqual({ number: 2, name: 0, reference: 3, named: true })
    const { recipients, refused } = readRecipients(text, { number: 2, name: 0, reference: -1, named: true })
    expect(recipients).toEqual([{ row: 2, to: one, name: 'Dr. Kim', reference: null }])
    expect(refused).toMatchObject([{ row: 3, text: '12' }])
    expect(readTable(`fax,name\n${one},Ann`)?.columns).toEqual({ number: 0, name: 1, reference: -1, named: true })
    expect(readTable(`Ann,${one}`)?.columns).toMatchObject({ number: 1, name: 0, named: false })
    for (const numbers of [`${one},${two}\n`, `${one}\n${two}`, `["${one}"]`, 'Dear Ann, hello']) {
      expect(readTable(numbers)).toBeUndefined()
    }
  })

  it('is read as text when it only begins like JSON', () => {
    expect(read(`["${one}"`).refused).toHaveLength(1)
  })

  it('takes every number once, as often as it is written another way', () => {
    const numbers = [one, two, '+1 (555) 555-0123', '0015555550188'].map((to) => ({ to }))
    const { once, duplicates } = dropDuplicates(numbers, numberKey)
    expect([once.length, duplicates.length]).toEqual([2, 2])
  })
})

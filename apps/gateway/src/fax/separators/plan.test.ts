import { describe, expect, it } from 'vitest'
import { sealsOf } from '../../base/settings/seal.ts'
import { writeCode } from '../facts/sheet-code.ts'
import { maxParts, planSplit } from './plan.ts'

const seals = sealsOf(Buffer.alloc(32, 7))
const page = { texts: ['https://example.com/'], hasUnreadable: false }
const sheet = (to: string, reference: string | null = null, by = seals) => ({
  texts: [writeCode(by, { to, reference })],
  hasUnreadable: false,
})
const ann = sheet('+15555550123', 'Ann')
const bob = sheet('+15555550188')

describe('a plan of a split', () => {
  it('gives every page to the sheet before it, also when one of its two codes cannot be read', () => {
    const half = { ...bob, hasUnreadable: true }
    expect(planSplit([ann, page, page, half, page], seals)).toEqual([
      { to: '+15555550123', reference: 'Ann', from: 1, until: 3 },
      { to: '+15555550188', reference: null, from: 4, until: 5 },
    ])
  })

  it.each([
    ['there is no sheet', [page, page], /There is no separator sheet/],
    ['a page comes before the first sheet', [page, ann, page], /^Page 1 comes before/],
    ['pages come before the first sheet', [page, page, ann, page], /^Pages 1 to 2 come before/],
    ['a sheet has no pages', [ann, bob, page], /^Page 1 is a separator sheet with no pages/],
    ['the last sheet has no pages', [ann, page, bob], /^Page 3 is a separator sheet with no pages/],
    ['a page shows two sheets', [{ ...ann, texts: [...ann.texts, ...bob.texts] }, page], /^Page 1 shows two/],
    ['a page may be a sheet', [ann, page, { texts: [], hasUnreadable: true }, page], /^Page 3 has a large QR code/],
    [
      'a sheet is of another installation',
      [ann, page, sheet('+1', null, sealsOf(Buffer.alloc(32, 8))), page],
      /^Page 3 .* another installation/,
    ],
    [
      'a code only looks like one of ours',
      [ann, page, { ...page, texts: ['FAXDECK:+15555550123'] }, page],
      /^Page 3 .* another installation/,
    ],
    [
      'there are too many sheets',
      Array.from({ length: maxParts + 1 }, () => [ann, page]).flat(),
      /51 separator sheets/,
    ],
  ])('is refused, and says that nothing was sent, when %s', (_why, pages, sentence) => {
    const refusal = expect.objectContaining({ code: 'bad_document', message: expect.stringMatching(sentence) })
    expect(() => planSplit(pages, seals)).toThrow(refusal)
    expect(() => planSplit(pages, seals)).toThrow(/Nothing was sent\.$/)
  })
})

import { describe, expect, it } from 'vitest'
import { joinArabic } from './arabic.ts'
import { type Letter, visualOrder } from './direction.ts'

const lettersOf = (text: string): Letter[] =>
  Array.from(text, (character) => ({ codePoint: character.codePointAt(0)!, marks: [] }))
const textOf = (letters: readonly Letter[]) => String.fromCodePoint(...letters.map((letter) => letter.codePoint))

describe('right-to-left text', () => {
  it.each([
    ['שלום', true, 'םולש'],
    ['abc שלום def', false, 'abc םולש def'],
    ['שלום abc def', true, 'abc def םולש'],
    ['מחיר 123.50 (כולל)', true, '(ללוכ) 123.50 ריחמ'],
    ['abc (שלום) 12', false, 'abc (םולש) 12'],
    ['טל 03-1234567', true, '03-1234567 לט'],
  ])('orders %j', (text, rightToLeft, expected) => {
    expect(textOf(visualOrder(lettersOf(text), rightToLeft))).toBe(expected)
  })

  it('joins Arabic letters to their neighbors and sets lam-alef as one', () => {
    // The compatibility decomposition of a joined form is the letter it stands for.
    const joined = textOf(joinArabic(lettersOf('سلام'), () => true))
    expect(joined).toBe('\ufeb3\ufefc\ufee1')
    expect(joined.normalize('NFKC')).toBe('سلام')
    expect(textOf(joinArabic(lettersOf('پدر'), () => true))).toBe('\ufb58\ufeaa\ufead')
  })

  it('keeps letters apart at a zero width non-joiner and where the font has no form', () => {
    expect(textOf(joinArabic(lettersOf('ب\u200cب'), () => true))).toBe('\ufe8f\u200c\ufe8f')
    expect(textOf(joinArabic(lettersOf('بب'), () => false))).toBe('بب')
  })
})

import { shapedLetters } from '../fonts/scripts.ts'

/** A stretch of a line: a word of a script that has to be shaped, an emoji sequence, or anything else. */
export interface Stretch {
  text: string
  kind: 'plain' | 'word' | 'emoji'
  /** Whether nothing but a space comes before the next stretch that is shaped. */
  isJoined?: boolean
}

/** Limits the work for a word; what is longer, which only hostile texts are, is shaped in pieces. */
const maxWord = 256
/** Pairs of regional indicators, and pictures that are joined or followed by a skin tone or tags (UTS #51). */
const emojiSequence =
  '\\p{RI}\\p{RI}|\\p{ExtPict}\\ufe0f?(?:\\p{EMod}|[\\u{e0020}-\\u{e007f}]{1,32}|\\u200d\\p{ExtPict}\\ufe0f?){1,16}'
/** With the punctuation behind it, so that no gap comes between them where the word does not end on the grid. */
const word = `(?:[${shapedLetters}][\\p{M}\\u200c\\u200d]{0,16}){1,${maxWord}}[.,;:!?)\\]%]{0,3}`
const shaped = new RegExp(`(${emojiSequence})|(${word})`, 'gu')
/** A quick first look: a text without any of these is not shaped. */
const mayNeedShaping = /[\u0900-\u109f\u1780-\u17ff\u19e0-\u19ff]|[\ua8e0-\uaa7f]|\u200d|[\ud83c-\ud83e]/
/** Marks that join a consonant to the next one, which must stay with it (Indic_Syllabic_Category Virama and others). */
const joiner =
  /(?:\u094d|\u09cd|\u0a4d|\u0acd|\u0b4d|\u0bcd|\u0c4d|\u0ccd|\u0d4d|\u0dca|\u1039|\u17d2)(?:\u200c|\u200d)?$/
/** Scripts that are written without spaces between words. */
const withoutSpaces = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u

let graphemes: Intl.Segmenter | undefined
let words: Intl.Segmenter | undefined

/** Whether a text has characters that are not simply set one after the other. */
export function needsShaping(text: string): boolean {
  return mayNeedShaping.test(text) && text.search(shaped) >= 0
}

/** The stretches of a text in reading order. */
export function stretchesOf(text: string): Stretch[] {
  const stretches: Stretch[] = []
  let end = 0
  const addPlain = (to: number) => {
    if (to > end) stretches.push({ text: text.slice(end, to), kind: 'plain' })
  }
  for (const { 0: found, 1: sequence, index } of text.matchAll(shaped)) {
    addPlain(index)
    stretches.push({ text: found, kind: sequence === undefined ? 'word' : 'emoji' })
    end = index + found.length
  }
  addPlain(text.length)
  stretches.forEach((stretch, index) => {
    const next = stretches[index + 2]
    stretch.isJoined = stretch.kind !== 'plain' && stretches[index + 1]?.text === ' ' && next !== undefined
  })
  return stretches
}

/** What readers take for one character, and no line break may part (UAX #29), with consonants that are joined. */
export function clustersOf(text: string): string[] {
  if (!mayNeedShaping.test(text)) return Array.from(text)
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const clusters: string[] = []
  for (const { segment } of graphemes.segment(text)) {
    const before = clusters.at(-1)
    if (before !== undefined && joiner.test(before)) clusters[clusters.length - 1] = before + segment
    else clusters.push(segment)
  }
  return clusters
}

/** Where the words of a text begin that are written without spaces between them, in UTF-16 code units. */
export function wordStarts(text: string): ReadonlySet<number> {
  if (!withoutSpaces.test(text)) return new Set()
  words ??= new Intl.Segmenter('th', { granularity: 'word' })
  return new Set(Array.from(words.segment(text), ({ index }) => index))
}

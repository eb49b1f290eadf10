import type { Stretch } from './clusters.ts'

/** A character of a line with the combining marks that are set over it, or a stretch that is shaped as a whole. */
export interface Letter {
  /** The first one of a stretch. */
  codePoint: number
  marks: number[]
  stretch?: Stretch
}

/**
 * Visual order of a line of mixed direction after the Unicode Bidirectional Algorithm (UAX #9): rules W2–W7, N0–N2,
 * I1–I2 and L1–L2 with mirroring (L4). Explicit embeddings and isolates, rare in plain text, are not followed; their
 * invisible marks act as neutrals.
 */
type Side = 'L' | 'R'
type Direction = Side | 'AL' | 'EN' | 'AN' | 'ES' | 'ET' | 'CS' | 'ON'

const classes: readonly [Direction, RegExp][] = [
  ['EN', /[0-9\u06f0-\u06f9]/u],
  ['AN', /[\u0660-\u0669\u066b\u066c\u0600-\u0605]/u],
  ['AL', /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\u061b-\u061f]/u],
  ['R', /[\p{Script=Hebrew}\p{Script=Nko}\u200f]/u],
  ['ES', /[+\-\u2212]/u],
  ['ET', /[#$%°\u2030\u2031\p{Sc}]/u],
  ['CS', /[,./:\u00a0]/u],
  ['L', /[\p{L}\p{N}\u200e]/u],
]

const pairs = Array.from('()[]{}<>«»‹›≤≥')
const mirrored = new Map(pairs.map((character, index) => [character, pairs[index ^ 1]!]))

const strongCharacter = /\p{L}/u
const rightToLeftLetter = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Whether a paragraph begins with a right-to-left letter (UAX #9, P2 and P3). */
export function isRightToLeft(paragraph: string): boolean {
  return rightToLeftLetter.test(strongCharacter.exec(paragraph)?.[0] ?? '')
}

/** The letters of a line from left to right as they are printed; brackets in right-to-left runs are mirrored. */
export function visualOrder(letters: readonly Letter[], rightToLeft: boolean): Letter[] {
  const base = rightToLeft ? 1 : 0
  const levels = resolveLevels(letters, base)
  const order = letters.map((letter, index) => ((levels[index]! & 1) === 1 ? mirror(letter) : letter))
  for (let level = levels.reduce((a, b) => Math.max(a, b), base); level > 0; level--) reverseRuns(order, levels, level)
  return order
}

function mirror(letter: Letter): Letter {
  const other = mirrored.get(String.fromCodePoint(letter.codePoint))?.codePointAt(0)
  return other === undefined ? letter : { ...letter, codePoint: other }
}

function resolveLevels(letters: readonly Letter[], base: number): number[] {
  const kinds = letters.map((letter) => directionOf(letter.codePoint))
  const outer: Side = base === 1 ? 'R' : 'L'
  resolveWeak(kinds, outer)
  resolveBrackets(kinds, letters, outer)
  resolveNeutral(kinds, outer)
  // I1, I2: numbers and text against the base direction go one or two levels up.
  return kinds.map((kind) => {
    if (kind === 'R') return 1
    if (kind === 'L') return base === 1 ? 2 : 0
    return 2
  })
}

function directionOf(codePoint: number): Direction {
  const character = String.fromCodePoint(codePoint)
  return classes.find(([, pattern]) => pattern.test(character))?.[0] ?? 'ON'
}

function resolveWeak(kinds: Direction[], outer: Side): void {
  let strong: Direction = outer
  for (let index = 0; index < kinds.length; index++) {
    const kind = kinds[index]!
    if (kind === 'L' || kind === 'R' || kind === 'AL') strong = kind
    else if (kind === 'EN' && strong === 'AL') kinds[index] = 'AN' // W2
  }
  kinds.forEach((kind, index) => {
    if (kind === 'AL') kinds[index] = 'R' // W3
    const before = kinds[index - 1]
    const after = kinds[index + 1]
    const between = before === after && (before === 'EN' || (before === 'AN' && kind === 'CS'))
    if ((kind === 'ES' || kind === 'CS') && between) kinds[index] = before // W4
  })
  kinds.forEach((kind, index) => {
    if (kind === 'ET' && touchesNumber(kinds, index)) kinds[index] = 'EN' // W5
  })
  strong = outer
  kinds.forEach((kind, index) => {
    if (kind === 'ES' || kind === 'ET' || kind === 'CS') kinds[index] = 'ON' // W6
    if (kind === 'L' || kind === 'R') strong = kind
    if (kind === 'EN' && strong === 'L') kinds[index] = 'L' // W7
  })
}

function touchesNumber(kinds: readonly Direction[], index: number): boolean {
  let after = index
  while (kinds[after] === 'ET') after++
  return kinds[index - 1] === 'EN' || kinds[after] === 'EN'
}

/** N0: a pair of brackets takes the direction of what it encloses, the line's before the other one. */
function resolveBrackets(kinds: Direction[], letters: readonly Letter[], outer: Side): void {
  for (const [open, close] of bracketPairs(kinds, letters)) {
    const inside = new Set(kinds.slice(open + 1, close).map(strengthOf))
    const before = kinds.slice(0, open).findLast((kind) => strengthOf(kind) !== undefined)
    const other = outer === 'L' ? 'R' : 'L'
    if (inside.has(outer) || (inside.has(other) && strengthOf(before ?? outer) === outer)) {
      kinds[open] = kinds[close] = outer
    } else if (inside.has(other)) {
      kinds[open] = kinds[close] = other
    }
  }
}

/** Positions of brackets that belong together, in the order they open. */
function bracketPairs(kinds: readonly Direction[], letters: readonly Letter[]): [number, number][] {
  const pairs: [number, number][] = []
  const waiting: { at: number; closing: string | undefined }[] = []
  letters.forEach(({ codePoint }, at) => {
    const character = String.fromCodePoint(codePoint)
    if (kinds[at] !== 'ON') return
    if ('([{'.includes(character)) waiting.push({ at, closing: mirrored.get(character) })
    const opened = waiting.findLastIndex(({ closing }) => closing === character)
    if (opened < 0) return
    pairs.push([waiting[opened]!.at, at])
    waiting.length = opened
  })
  return pairs.sort(([a], [b]) => a - b)
}

/** The direction a resolved kind lends to neutrals beside it: numbers count as right-to-left (N1). */
function strengthOf(kind: Direction): Side | undefined {
  if (kind === 'ON') return undefined
  return kind === 'L' ? 'L' : 'R'
}

/** N1, N2: neutrals take the direction of both sides when it is the same, else that of the line. */
function resolveNeutral(kinds: Direction[], outer: Side): void {
  const sideOf = (kind: Direction | undefined) => strengthOf(kind ?? outer)
  for (let index = 0; index < kinds.length; index++) {
    if (kinds[index] !== 'ON') continue
    let end = index
    while (kinds[end] === 'ON') end++
    const before = sideOf(kinds[index - 1])
    const side = before === sideOf(kinds[end]) ? before : outer
    kinds.fill(side ?? outer, index, end)
    index = end - 1
  }
}

function reverseRuns(order: Letter[], levels: readonly number[], level: number): void {
  for (let start = 0; start < order.length; start++) {
    if (levels[start]! < level) continue
    let end = start
    while (end < order.length && levels[end]! >= level) end++
    order.slice(start, end).forEach((letter, index) => (order[end - 1 - index] = letter))
    start = end
  }
}

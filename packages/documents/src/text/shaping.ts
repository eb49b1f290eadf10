import { type ShapedGlyph, shapeWith } from '../fonts/harfbuzz.ts'
import { type MappedFont, tableAt } from '../fonts/font.ts'
import { isDrawable, systemFonts, systemFontsFor } from '../fonts/system-fonts.ts'
import { clustersOf, type Stretch } from './clusters.ts'
import { openTextFonts } from './font.ts'

/** A glyph in its place, in ems: `x` to the right of where the pen stands, `y` above the baseline. */
export interface PlacedGlyph {
  /** As `glyphOf` counts fonts. */
  font: number
  glyph: number
  /** What it stands for; empty where another glyph of its cluster does. */
  text: string
  advance: number
  x: number
  y: number
  /** Of its size to that of the other type. */
  scale: number
}

/** Characters that are set, and named, as one. */
export interface Cluster {
  text: string
  /** Undefined when no font has it. */
  glyphs: PlacedGlyph[] | undefined
  /** In ems. */
  advance: number
}

/** From one line of a text file to the next, in ems. */
const lineHeight = 1.18
const smallest = 0.9
const maxRemembered = 4000
const unseen = /[\p{Default_Ignorable_Code_Point}\u25cc]/u
const flag = /^\p{RI}/u

/** The fonts in use when the words were shaped: others make them again. */
let remembered: { fonts: unknown; words: Map<string, readonly Cluster[]> } = { fonts: undefined, words: new Map() }

/** The clusters of a word, or the one of an emoji sequence, each with its glyphs in the first font that has it. */
export function shapeStretch(stretch: Stretch, fixed: boolean): readonly Cluster[] {
  const key = `${fixed ? 1 : 0}${stretch.text}`
  const fonts = systemFonts()
  if (remembered.fonts !== fonts || remembered.words.size > maxRemembered) remembered = { fonts, words: new Map() }
  const known = remembered.words.get(key)
  if (known) return known
  const clusters = stretch.kind === 'emoji' ? [shapeSequence(stretch.text, fixed)] : shapeWord(stretch.text, fixed)
  remembered.words.set(key, clusters)
  return clusters
}

/** Clusters side by side with the same font are shaped together, because letters may change with their neighbors. */
function shapeWord(text: string, fixed: boolean): Cluster[] {
  const clusters = clustersOf(text)
  const fonts = clusters.map((cluster) => fontsWith(cluster, fixed).next().value)
  const shaped: Cluster[] = []
  for (let from = 0; from < clusters.length;) {
    const font = fonts[from]
    let to = from
    while (to < clusters.length && fonts[to] === font) to++
    const run = clusters.slice(from, to)
    shaped.push(...(font === undefined ? run.map(missing) : shapeRun(run, font, fixed)))
    from = to
  }
  return shaped
}

/** An emoji sequence counts only as one picture; of a flag the two letters will do. */
function shapeSequence(text: string, fixed: boolean): Cluster {
  for (const font of fontsWith(text, fixed)) {
    const [cluster] = shapeRun([text], font, fixed)
    const drawn = cluster?.glyphs?.filter(({ advance }) => advance > 0).length
    if (cluster && drawn !== undefined && (drawn === 1 || flag.test(text))) return cluster
  }
  return missing(text)
}

function missing(text: string): Cluster {
  return { text, glyphs: undefined, advance: 0 }
}

/** The fonts that have every character of a text that is seen: bundled ones first. */
function* fontsWith(text: string, fixed: boolean): Generator<number, undefined> {
  const codePoints = Array.from(text)
    .filter((character) => !unseen.test(character))
    .map(codePointOf)
  const bundled = openTextFonts()
  const has = ({ glyphs }: MappedFont) => codePoints.every((codePoint) => glyphs.has(codePoint))
  for (const font of fixed ? [0, 1] : [1, 0]) if (has(bundled[font]!)) yield font
  for (const index of systemFontsFor(codePoints[0] ?? 0)) {
    if (has(systemFonts()[index]!)) yield bundled.length + index
  }
}

const codePointOf = (character: string) => character.codePointAt(0) ?? 0

function shapeRun(clusters: readonly string[], fontIndex: number, fixed: boolean): Cluster[] {
  const bundled = openTextFonts()
  const font = bundled[fontIndex] ?? systemFonts()[fontIndex - bundled.length]!
  const glyphs = shapeSafely(font, clusters.join(''))
  const scale = fixed && !bundled[fontIndex] ? scaleToLine(font) : 1
  let start = 0
  return clusters.map((text) => {
    const end = start + text.length
    const own = glyphs?.filter((glyph) => glyph.start >= start && glyph.start < end)
    start = end
    if (!own?.every(({ glyph }) => glyph > 0 && glyph < font.glyphCount && isDrawable(font, glyph)))
      return missing(text)
    const texts = textsOf(own, text, font)
    const placed = own.map(({ glyph, advance, x, y }, index) => {
      const [across, right, up] = [advance, x, y].map((units) => (units * scale) / font.unitsPerEm)
      return { font: fontIndex, glyph, text: texts[index]!, advance: across!, x: right!, y: up!, scale }
    })
    return { text, glyphs: placed, advance: placed.reduce((sum, { advance }) => sum + advance, 0) }
  })
}

/**
 * Lines of text files lie close together. Fonts with marks above and below their letters are set smaller, so that those
 * do not run into each other.
 */
function scaleToLine(font: MappedFont): number {
  const [ascent, descent] = [4, 6].map((at) => font.view.getInt16(tableAt(font, 'hhea') + at))
  const height = (ascent! - descent!) / font.unitsPerEm
  return Math.max(smallest, Math.min(1, lineHeight / Math.max(height, Number.EPSILON)))
}

/** A font that makes HarfBuzz fail has none of the characters. */
function shapeSafely(font: MappedFont, text: string): ShapedGlyph[] | undefined {
  try {
    return shapeWith(font, text)
  } catch {
    return undefined
  }
}

/** Each glyph stands for its own character where it has one; the first of the others for all characters that are left. */
function textsOf(glyphs: readonly ShapedGlyph[], text: string, font: MappedFont): string[] {
  const left = Array.from(text)
  const texts = glyphs.map(({ glyph }) => {
    const at = left.findIndex((character) => font.glyphs.get(codePointOf(character)) === glyph)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  const other = texts.indexOf(undefined)
  return texts.map((own, index) => own ?? (index === other ? left.join('') : ''))
}

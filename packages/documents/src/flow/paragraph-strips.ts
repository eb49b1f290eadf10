import { widthOf } from '../text/typeset.ts'
import type { Paragraph, TextStyle } from './flow.ts'
import { drawLine, LineBreaker, type Type } from './lines.ts'
import { type Press, type Spot, type Strip, space } from './strip.ts'

interface Edges {
  left: number
  width: number
}

const indentStep = 20
/** DejaVu Sans is so much wider than the fonts that offices write with. */
const widthOfFonts = 0.92
const lineHeight = 1.3

export const types: Readonly<Record<TextStyle, Type & { above: number; below: number }>> = {
  title: { size: 18, leading: 23, bold: true, above: 8, below: 8 },
  heading: { size: 14.5, leading: 19, bold: true, above: 8, below: 6 },
  subheading: { size: 12, leading: 16, bold: true, above: 6, below: 4 },
  body: { size: 11, leading: 15, above: 0, below: 7 },
  fixed: { size: 10, leading: 13, fixed: true, above: 0, below: 7 },
}

/** The type of a paragraph: its own size where it has one, or that of a table that it stands in. */
function typeOf({ style, format }: Paragraph, given?: Type): Type & { above: number; below: number } {
  const usual = given ? { ...types[style], ...given, above: 0, below: 0 } : types[style]
  const { size, spacing = 1, leading = 0, above = usual.above, below = usual.below } = format ?? {}
  if (!format) return usual
  const own = size === undefined ? usual.size : Math.min(72, Math.max(5, size * widthOfFonts))
  return {
    ...usual,
    size: own,
    leading: Math.max(own * lineHeight, leading) * Math.min(4, Math.max(0.7, spacing)),
    above,
    below,
  }
}

/** Strips of a paragraph; `edges` says what room a line has that begins so far below its top. */
export function paragraphStrips(
  block: Paragraph,
  width: number,
  { typesetter }: Pick<Press, 'typesetter'>,
  {
    type: given,
    edges = () => ({ left: 0, width }),
  }: { type?: Type; edges?: (below: number, height: number) => Edges } = {},
): Strip[] {
  const { pieces, indent, marker, format = {} } = block
  const type = typeOf(block, given)
  const left = Math.max(0, Math.min(format.left ?? indent * indentStep, width / 2))
  const right = Math.max(0, Math.min(format.right ?? 0, width / 4))
  const label = labelOf(marker, type, left, block.format)
  const stops = [...(format.tabs ?? []), ...(left > 0 ? [{ at: left, align: 'left' as const }] : [])]
  const breaker = new LineBreaker(
    pieces,
    type,
    stops.sort((a, b) => a.at - b.at),
  )
  const strips: Strip[] = type.above > 0 ? [space(type.above)] : []
  let below = 0
  while (!breaker.isDone) {
    const isFirst = below === 0
    const free = edges(below, type.leading)
    const indented = isFirst ? label.textAt : left
    const line = breaker.next(Math.max(type.size * 2, free.width - indented - right), indented)
    const at = { ...format, x: free.left + indented, width: free.width - indented - right }
    const draw = ({ x, top, ...spot }: Spot) => {
      const y = top - type.size - (type.leading - type.size * lineHeight) / 2
      if (isFirst && marker !== undefined) {
        typesetter.write(marker, { x: x + free.left + label.at, y, size: type.size, bold: type.bold ?? false })
      }
      drawLine(typesetter, line, { ...at, x: x + at.x, y }, type, spot)
    }
    const notes = line.parts.flatMap((part) =>
      part.pieces.flatMap(({ note }) => (note && note.length > 0 ? [note] : [])),
    )
    strips.push({ height: type.leading, draw, ...(notes.length > 0 ? { notes } : {}) })
    below += type.leading
  }
  const first = strips.find(({ isSpace }) => !isSpace)
  const lines = strips.filter(({ isSpace }) => !isSpace).length
  // A heading stands above what it is about.
  const keeps = type.bold === true || format.keepsNext === true
  if (first) first.reserve = type.leading * (keeps ? Math.min(lines + 2, 12) : Math.min(2, lines))
  return type.below > 0 ? [...strips, space(type.below)] : strips
}

/** Where the label of a list begins and the text behind it. */
function labelOf(marker: string | undefined, { size }: Type, left: number, format: Paragraph['format']) {
  const first = Math.max(0, left + (format?.first ?? 0))
  if (marker === undefined) return { at: 0, textAt: first }
  const across = widthOf(marker, size)
  if (!format) return { at: Math.max(0, left - Math.max(15, across + 4)), textAt: left }
  const end = first + across + size * 0.3
  const next = [...(format.tabs ?? []).map(({ at }) => at).sort((a, b) => a - b), left].find((at) => at >= end)
  return {
    at: first,
    textAt: first < left || next !== undefined ? Math.max(end, Math.min(next ?? end, first + 72)) : end,
  }
}

import { operators } from './cff.ts'
import type { CffFont, Dict } from './cff.ts'
import { flattenOutline } from './cff-outline.ts'

/** The first string of a font's own: those below it are the same in every font (Technical Note #5176, appendix A). */
const ownStrings = 391
const emptyOutline = Buffer.from([14])
const cids = 0xffff

/**
 * A CID-keyed CFF font (Adobe Technical Note #5176, section 18) with the outlines of `glyphs` alone: the CID of each is
 * its number in the font it comes from, whether that one has CIDs or not. Throws when an outline is damaged.
 */
export function subsetCff(name: string, font: CffFont, glyphs: Iterable<number>): Buffer {
  const kept = [...new Set(glyphs)].filter((glyph) => glyph !== 0).sort((a, b) => a - b)
  const parts = [...new Set(kept.map(font.partOf))]
  const outlines = [emptyOutline, ...kept.map((glyph) => flattenOutline(font, glyph))]
  const charset = Buffer.concat([Buffer.of(0), ...kept.map(bytesOfCid)])
  const select = Buffer.of(0, 0, ...kept.map((glyph) => parts.indexOf(font.partOf(glyph))))
  const fontOf = (part: number) => font.parts[part]!
  const privates = parts.map((part) => without(fontOf(part).private, operators.subrs))

  const layOut = (base: number) => {
    let at = base
    const place = (bytes: Buffer) => (at += bytes.length) - bytes.length
    const body = [charset, select, listOf(outlines), ...privates]
    const [charsetAt, selectAt, outlinesAt, ...privatesAt] = body.map(place)
    const dicts = parts.map((part, index) =>
      Buffer.concat([
        bytesFor(fontOf(part).dict, operators.matrix),
        entry(operators.private, privates[index]!.length, privatesAt[index]!),
      ]),
    )
    const fontDicts = listOf(dicts)
    const top = Buffer.concat([
      entry(operators.ros, ownStrings, ownStrings + 1, 0),
      bytesFor(font.top, operators.matrix),
      bytesFor(font.top, operators.fontBox),
      entry(operators.cidCount, cids),
      entry(operators.charset, charsetAt!),
      entry(operators.charStrings, outlinesAt!),
      entry(operators.fontDicts, place(fontDicts)),
      entry(operators.fontDictSelect, selectAt!),
    ])
    const strings = ['Adobe', 'Identity'].map((text) => Buffer.from(text, 'latin1'))
    const head = [
      Buffer.of(1, 0, 4, 4),
      listOf([Buffer.from(name, 'latin1')]),
      listOf([top]),
      listOf(strings),
      listOf([]),
    ]
    return { head: Buffer.concat(head), body: [...body, fontDicts] }
  }
  // Every number takes five bytes, so the head is as long wherever the rest lies.
  const { head, body } = layOut(layOut(0).head.length)
  return Buffer.concat([head, ...body])
}

const bytesOfCid = (glyph: number) => Buffer.of(glyph >> 8, glyph & 0xff)
const bytesFor = (dict: Dict, operator: number) => dict.get(operator)?.bytes ?? Buffer.alloc(0)
const without = (dict: Dict, operator: number) =>
  Buffer.concat([...dict].filter(([key]) => key !== operator).map(([, { bytes }]) => bytes))

/** An entry of a DICT with operands of five bytes each (section 4). */
function entry(operator: number, ...operands: number[]): Buffer {
  const bytes = Buffer.alloc(5 * operands.length)
  operands.forEach((operand, index) => {
    bytes.writeUInt8(29, 5 * index)
    bytes.writeInt32BE(operand, 5 * index + 1)
  })
  const name = operator >= 1200 ? Buffer.of(12, operator - 1200) : Buffer.of(operator)
  return Buffer.concat([bytes, name])
}

/** An INDEX (section 5) with offsets of four bytes. */
function listOf(entries: readonly Buffer[]): Buffer {
  if (entries.length === 0) return Buffer.of(0, 0)
  const head = Buffer.alloc(3 + 4 * (entries.length + 1))
  head.writeUInt16BE(entries.length)
  head.writeUInt8(4, 2)
  let offset = 1
  head.writeUInt32BE(offset, 3)
  entries.forEach((bytes, index) => head.writeUInt32BE((offset += bytes.length), 3 + 4 * (index + 1)))
  return Buffer.concat([head, ...entries])
}

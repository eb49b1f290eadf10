import { type RtfFonts, rtfToken } from './rtf-fonts.ts'
import { type Look, type Standing, standing } from './rtf-looks.ts'
import type { RtfPicture } from './rtf-pictures.ts'
import { damaged } from '../../base/zip.ts'

/** Groups that are no text of the document. */
export const skipped = new Set(
  'fonttbl colortbl stylesheet info filetbl revtbl annotation atnid private nonshppict nonesttables xe tc rxe txe sp shprslt pntxta pntxtb objdata mmath mmathPr'.split(
    ' ',
  ),
)
/** What readers may pass over when they do not know it, and is text of the document nevertheless. */
const known = new Set('footnote shppict shpinst shpgrp do fldinst ud nesttableprops'.split(' '))
const maxDepth = 5000

/** What holds between two braces, and ends with them. */
export interface Group {
  isSkipped: boolean
  /** Characters that stand in for one of Unicode. */
  stand: number
  look: Look
  font: number
  size: number
  paragraph: Standing
  /** Where what is written goes instead of the text. */
  gather?: { text: string } | undefined
  picture?: RtfPicture | undefined
  /** A shape is described twice: as it is, and as what older readers show instead. */
  inShape?: boolean
  /** Whether what is in it was to be skipped before it was said twice, for readers of Unicode and others. */
  wasSkipped?: boolean
  inNest?: boolean
  inObject?: boolean
  end?: ((own: Group) => void) | undefined
}

export function skip(group: Group): void {
  group.isSkipped = true
  group.gather = undefined
}

/** Passes over a group that may be, unless it is known to hold text. */
export function passOver(group: Group, word: string): void {
  if (known.has(word)) return
  skip(group)
  Object.assign(group, { picture: undefined, inShape: false })
}

/** Reads the groups, words and characters of a rich text document (RTF 1.9.1, RTF Syntax). */
export abstract class RtfGroups {
  protected readonly fonts: RtfFonts
  readonly #groups: Group[]
  #toSkip = 0
  #bytes: number[] = []

  constructor(fonts: RtfFonts) {
    this.fonts = fonts
    this.#groups = [{ isSkipped: false, stand: 1, look: {}, font: fonts.usual, size: 12, paragraph: standing }]
  }

  protected abstract word(word: string, number: number | undefined): void
  /** A control word that is no word. */
  protected abstract sign(sign: string): void
  protected abstract append(text: string): void

  protected get group(): Group {
    return this.#groups.at(-1)!
  }

  protected readTokens(rtf: string): void {
    const tokens = new RegExp(rtfToken)
    for (let found = tokens.exec(rtf); found; found = tokens.exec(rtf)) {
      const [, word, number, hex, sign, brace, text] = found
      // A character may have bytes of both kinds, and lines end anywhere.
      if (word !== undefined || sign !== undefined || brace !== undefined) this.#endBytes()
      if (word === 'bin') tokens.lastIndex = this.#binary(rtf, tokens.lastIndex, Number(number ?? 0))
      else if (word === 'u') this.#unicode(Number(number ?? 0))
      else if (word !== undefined) this.word(word, number === undefined ? undefined : Number(number))
      else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16))
      else if (sign !== undefined) this.sign(sign)
      else if (brace === '{') this.#open()
      else if (brace === '}') this.#close()
      else if (text !== undefined) this.#text(text)
    }
    this.#endBytes()
    while (this.#groups.length > 1) this.#close()
  }

  #open(): void {
    if (this.#groups.length >= maxDepth) throw damaged()
    this.#toSkip = 0
    this.#groups.push({ ...this.group, end: undefined })
  }

  #close(): void {
    this.#toSkip = 0
    if (this.#groups.length < 2) return
    const own = this.#groups.pop()!
    own.end?.(own)
  }

  /** `\u` takes signed 16-bit numbers, and is followed by what older readers show instead. */
  #unicode(number: number): void {
    this.append(this.fonts.read(number < 0 ? number + 65_536 : number, this.group.font))
    this.#toSkip = this.group.stand
  }

  #byte(byte: number): void {
    if (this.#toSkip > 0) this.#toSkip -= 1
    else this.#bytes.push(byte)
  }

  #endBytes(): void {
    if (this.#bytes.length === 0) return
    this.append(this.fonts.decode(this.#bytes, this.group.font))
    this.#bytes = []
  }

  #text(text: string): void {
    const { picture, isSkipped, gather } = this.group
    if (picture) picture.digits.push(text.replace(/\s/g, ''))
    else if (!isSkipped || gather) for (let at = 0; at < text.length; at++) this.#byte(text.charCodeAt(at))
  }

  /** Bytes of a picture as they are, which may look like anything; returns where they end. */
  #binary(rtf: string, start: number, length: number): number {
    const end = start + Math.max(0, length)
    this.group.picture?.digits.push(Buffer.from(rtf.slice(start, end), 'latin1').toString('hex'))
    return end
  }
}

import type { Block, Undrawn } from '../flow.ts'

/** Kinds of pictures that are not drawn. */
const unread: Readonly<Record<string, Undrawn>> = {
  ...{ wmetafile: 'drawing', emfblip: 'drawing', macpict: 'drawing', pmmetafile: 'drawing' },
  ...{ dibitmap: 'picture', wbitmap: 'picture' },
}
const lengths: Readonly<Record<string, 'width' | 'height' | 'across' | 'down'>> = {
  ...{ picwgoal: 'width', pichgoal: 'height', picscalex: 'across', picscaley: 'down' },
}

/** A picture as it is read: its hexadecimal digits, its size in twips, and how it is scaled in percent. */
export interface RtfPicture {
  digits: string[]
  width: number
  height: number
  across: number
  down: number
  unread?: Undrawn
}

export const newPicture = (): RtfPicture => ({ digits: [], width: 0, height: 0, across: 100, down: 100 })

/** Takes in what a word says of a picture. */
export function describePicture(picture: RtfPicture, word: string, number = 0): void {
  if (Object.hasOwn(unread, word)) picture.unread = unread[word]!
  else if (Object.hasOwn(lengths, word)) picture[lengths[word]!] = Math.min(31_680, Math.max(0, number))
}

/** The picture as a block; undefined when it has no bytes. */
export function pictureOf({
  digits,
  width,
  height,
  across,
  down,
}: RtfPicture): (Block & { kind: 'picture' }) | undefined {
  const bytes = Buffer.from(digits.join(''), 'hex')
  if (bytes.length === 0) return undefined
  const size = { width: (width * across) / 2000, height: (height * down) / 2000 }
  return { kind: 'picture', bytes, description: '', ...(size.width > 0 && size.height > 0 ? { size } : {}) }
}

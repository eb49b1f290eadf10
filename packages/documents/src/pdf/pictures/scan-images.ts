/** Bytes in which a dictionary is looked for. */
const dictionaryBytes = 2000

/** By coding, widths and heights of the images of a file that need nothing but decoding. */
export type ScanImages = ReadonlyMap<string, ReadonlySet<string>>

const nameOf = (width: number, height: number) => `${width} ${height}`

/** Whether every image of a coding and a size is shown as it is coded. */
export const isPlain = (images: ScanImages, coding: string, width: number, height: number) =>
  images.get(coding)?.has(nameOf(width, height)) === true

/**
 * The codings that are read here, and what the dictionary of an image must have for it to be shown as it is coded. Those
 * that are only shrunk here may have colors, which PDFium tells.
 */
const plainImages: Readonly<Record<string, (dictionary: string) => boolean>> = {
  CCITTFaxDecode: isPlainT6,
  DCTDecode: (dictionary) => /\/ColorSpace\s*\/DeviceGray\b/.test(dictionary) && !/\/Decode/.test(dictionary),
  'colored DCTDecode': (dictionary) => !/\/Decode/.test(dictionary),
  'colored FlateDecode': (dictionary) => isOfBytes(dictionary) && !/\/Decode(Parms)?\b/.test(dictionary),
  'filtered FlateDecode': isFiltered,
}

/**
 * The images of a PDF that need nothing but decoding. PDFium does not tell how an image is shown, nor which object of the
 * file it is: so all of a coding and a size have to be alike.
 */
export function findScanImages(file: Uint8Array): ScanImages {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const found = new Map<string, ReadonlySet<string>>()
  if (!bytes.includes('/Image')) return found
  for (const [name, isPlain] of Object.entries(plainImages)) {
    found.set(name, findImages(bytes, name.split(' ').at(-1)!, isPlain))
  }
  return found
}

function findImages(bytes: Buffer, coding: string, isPlain: (dictionary: string) => boolean): ReadonlySet<string> {
  const [plain, others] = [new Set<string>(), new Set<string>()]
  for (let at = bytes.indexOf(`/${coding}`); at !== -1; at = bytes.indexOf(`/${coding}`, at + 1)) {
    const dictionary = dictionaryAround(bytes, at)
    if (dictionary === undefined) return new Set()
    // What is deflated is usually no image.
    if (coding === 'FlateDecode' && !dictionary.includes('/Width')) continue
    const [width, height] = [numberOf('Width', dictionary), numberOf('Height', dictionary)]
    if (Number.isNaN(width + height)) return new Set()
    const isHidden = /\/S?Mask\b|\/ImageMask\s+true|\/OC\b/.test(dictionary)
    const images = isHidden || !isPlain(dictionary) ? others : plain
    images.add(nameOf(width, height))
  }
  return new Set([...plain].filter((image) => !others.has(image)))
}

function dictionaryAround(bytes: Buffer, at: number): string | undefined {
  const before = bytes.toString('latin1', Math.max(0, at - dictionaryBytes), at)
  const after = bytes.toString('latin1', at, at + dictionaryBytes)
  const [start, end] = [before.lastIndexOf(' obj'), after.indexOf('stream')]
  return start >= 0 && end >= 0 ? before.slice(start) + after.slice(0, end) : undefined
}

const numberOf = (key: string, within: string) =>
  Number(new RegExp(`/${key}\\s+(-?\\d+)(?!\\s+\\d+\\s+R)`).exec(within)?.[1])

/** Whether an image of T.6 codes is shown black on white. */
function isPlainT6(text: string): boolean {
  const parameters = /\/DecodeParms\s*\[?\s*<<([^<>]*)>>/.exec(text)?.[1]
  if (parameters === undefined) return false
  const isLight = /\/BlackIs1\s+true/.test(parameters)
  const isTurned = /\/Decode\s*\[\s*1(\.0*)?\s+0(\.0*)?\s*\]/.test(text)
  const isPlain = !/\/Decode\s*\[/.test(text) || /\/Decode\s*\[\s*0(\.0*)?\s+1(\.0*)?\s*\]/.test(text)
  const isWhole = numberOf('Columns', parameters) === numberOf('Width', text)
  if (!isWhole || numberOf('K', parameters) >= 0 || isLight !== isTurned) return false
  return (isTurned || isPlain) && !/\/EncodedByteAlign\s+true/.test(parameters)
}

/** Whether each sample has 8 bits. */
const isOfBytes = (text: string) => /\/BitsPerComponent\s+8\b/.test(text)

/** Whether the rows of an image are filtered as those of a PNG are (ISO 32000-1, 7.4.4.4). */
function isFiltered(text: string): boolean {
  const parameters = /\/DecodeParms\s*\[?\s*<<([^<>]*)>>/.exec(text)?.[1]
  if (parameters === undefined || !isOfBytes(text) || /\/Decode\s*\[/.test(text)) return false
  const isOfSize = numberOf('Columns', parameters) === numberOf('Width', text)
  return isOfSize && numberOf('Predictor', parameters) >= 10 && !/\/BitsPerComponent\s+(?!8\b)/.test(parameters)
}

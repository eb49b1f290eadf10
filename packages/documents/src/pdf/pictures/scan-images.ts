/** Bytes in which a dictionary is looked for. */
const dictionaryBytes = 2000

/** By coding, widths and heights of the images of a file that need nothing but decoding. */
export type ScanImages = ReadonlyMap<string, ReadonlySet<string>>

const nameOf = (width: number, height: number) => `${width} ${height}`

/** Whether every image of a coding and a size is shown as it is coded. */
export const isPlain = (images: ScanImages, coding: string, width: number, height: number) =>
  images.get(coding)?.has(nameOf(width, height)) === true

/** The codings that are read here, and what the dictionary of an image must have for it to be shown as it is coded. */
const plainImages: Readonly<Record<string, (dictionary: string) => boolean>> = {
  CCITTFaxDecode: isPlainT6,
  DCTDecode: (dictionary) => /\/ColorSpace\s*\/DeviceGray\b/.test(dictionary) && !/\/Decode/.test(dictionary),
}

/**
 * The images of a PDF that need nothing but decoding. PDFium does not tell how an image is shown, nor which object of the
 * file it is: so all of a coding and a size have to be alike.
 */
export function findScanImages(file: Uint8Array): ScanImages {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const found = new Map<string, ReadonlySet<string>>()
  for (const [coding, isPlain] of Object.entries(plainImages)) found.set(coding, findImages(bytes, coding, isPlain))
  return found
}

function findImages(bytes: Buffer, coding: string, isPlain: (dictionary: string) => boolean): ReadonlySet<string> {
  const [plain, others] = [new Set<string>(), new Set<string>()]
  for (let at = bytes.indexOf(`/${coding}`); at !== -1; at = bytes.indexOf(`/${coding}`, at + 1)) {
    const dictionary = dictionaryAround(bytes, at)
    if (dictionary === undefined) return new Set()
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

import { DocumentProblem } from '../base/problem.ts'

/** Values of the Compression tag that the image library or our own decoders read. */
const readable = [1, 2, 3, 4, 5, 7, 8, 32773, 32946, 34925, 50000, 50001]

/** Others by the names that people find in their programs. */
const names: Readonly<Record<number, string>> = {
  6: 'old-style JPEG',
  9: 'JBIG',
  10: 'JBIG',
  32766: 'NeXT',
  32771: 'CCITT RLE with word alignment',
  32809: 'ThunderScan',
  33003: 'JPEG 2000',
  33005: 'JPEG 2000',
  34661: 'JBIG',
  34676: 'SGI LogLuv',
  34677: 'SGI LogLuv',
  34712: 'JPEG 2000',
  34715: 'JBIG2',
  34887: 'LERC',
}

/** How the image of a page is stored. */
interface Variety {
  compression: number
  /** In tiles, each color in a plane of its own. */
  tilesOfPlanes: boolean
  /** CIE L*a*b*, a byte each and nothing more: the image library takes it for a format of its own. */
  labOfThreeBytes: boolean
}

/** Refuses a page that is whole but stored in a way that is not read here. Throws `unsupported`. */
export function requireVariety(page: number, variety: Variety): void {
  const is = varietyOf(variety)
  if (is === undefined) return
  throw new DocumentProblem(
    'unsupported',
    `Page ${page} of the TIFF file ${is}, which cannot be read. Save it as PDF, or as TIFF with LZW or G4, and send that file.`,
  )
}

function varietyOf({ compression, tilesOfPlanes, labOfThreeBytes }: Variety): string | undefined {
  if (!readable.includes(compression)) return `is compressed as ${names[compression] ?? `variety ${compression}`}`
  if (labOfThreeBytes) return 'has its colors as CIE L*a*b* in 8 bits'
  return tilesOfPlanes ? 'has its colors in tiles of separate planes' : undefined
}

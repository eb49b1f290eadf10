import sharp from 'sharp'
import { pdfOf, streamOf } from './pdf-samples.ts'

const group = '/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Group<</S/Transparency/I true>>'
const dead = 'q /G gs /X Do Q'

/** Forms within forms, each a transparency group that needs a picture of the whole page while those below it are drawn. */
export function nestedForms(depth = 60, size = 14_400): Buffer {
  const box = group.replace('612 792', `${size} ${size}`)
  const state = '/ExtGState<</G<</ca .5/CA .5/BM/Multiply>>>>'
  const forms = Array.from({ length: depth }, (_, n) =>
    streamOf(
      n + 1 < depth ? `${dead} 0 0 ${size} ${size} re f` : `0 0 ${size} ${size} re f`,
      `${box}/Resources<<${state}/XObject<</X ${6 + n} 0 R>>>>`,
    ),
  )
  return pdfOf([{ width: size, height: size, content: '/X Do' }], forms)
}

/** A picture that has to be decoded as a whole, because it is turned by a quarter. */
export const turnedPng = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#abc' } })
    .withMetadata({ orientation: 6 })
    .png()
    .toBuffer()

const bytes = (...parts: (number | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)))
function short(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16BE(value)
  return buffer
}
function long(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}

/** A page with an image of so many pixels a side by its dictionary, in an encoding of its own. */
function imagePage(encoding: string, side: number, data: Buffer, components: 1 | 8): Buffer {
  const image = `/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceGray/BitsPerComponent ${components}/Filter/${encoding}`
  return pdfOf([{ content: '600 0 0 700 0 0 cm /X Do' }], [streamOf(data.toString('latin1'), image)])
}

/** A page with a JPEG 2000 codestream (ISO 15444-1, annex A) of one tile that promises far more pixels than it has data. */
export function jpxImage(side: number, shown = side): Buffer {
  const size = bytes(short(0), long(side), long(side), long(0), long(0), long(side), long(side), long(0), long(0))
  const siz = bytes(size, short(1), 7, 1, 1)
  const cod = bytes(0, 0, short(1), 0, 5, 4, 4, 0, 1)
  const qcd = bytes(0x40, ...Array<number>(16).fill(0x48))
  const segment = (marker: number, body: Buffer) => bytes(0xff, marker, short(body.length + 2), body)
  const tile = bytes(segment(0x90, bytes(short(0), long(0), 0, 1)), 0xff, 0x93, Buffer.alloc(64), 0xff, 0xd9)
  const stream = bytes(0xff, 0x4f, segment(0x51, siz), segment(0x52, cod), segment(0x5c, qcd), tile)
  return imagePage('JPXDecode', shown, stream, 8)
}

/** A JBIG2 page (ITU-T T.88) with several generic regions, each of its whole size. */
function jbig2Bomb(side: number, regions = 40): Buffer {
  const segment = (number: number, type: number, body: Buffer) =>
    bytes(long(number), type, 0, 1, long(body.length), body)
  const page = segment(0, 48, bytes(long(side), long(side), long(0), long(0), 0, short(0)))
  const region = bytes(long(side), long(side), long(0), long(0), 0, 0, 3, 0xff, 0xfd, 0xff, 2, 0xfe, 0xfe, 0xfe)
  const all = Array.from({ length: regions }, (_, n) => segment(n + 1, 38, bytes(region, Buffer.alloc(64, 0x55))))
  return imagePage('JBIG2Decode', side, bytes(page, ...all), 1)
}

/** A mesh of triangles (PDF 32000-1, 8.7.4.5.5), each as large as the largest page. */
function meshBomb(triangles = 100_000, size = 14_400): Buffer {
  const one = Buffer.from([0, 0, 0, 0, 0, 255, 0, 128, 0, 0, 255, 255])
  const data = Buffer.concat(Array<Buffer>(triangles).fill(one)).toString('latin1')
  const form = `/Type/XObject/Subtype/Form/BBox[0 0 ${size} ${size}]/Resources<</Shading<</S 6 0 R>>>>`
  const decode = `/Decode[0 ${size} 0 ${size} 0 1]`
  const mesh = `/ShadingType 4/ColorSpace/DeviceGray/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8${decode}`
  return pdfOf([{ width: size, height: size, content: '/X Do' }], [streamOf('/S sh', form), streamOf(data, mesh)])
}

/** A shading by a function (8.7.4.5.2) that has to be worked out for every pixel, drawn again and again. */
function functionBomb(times = 500, size = 14_400): Buffer {
  const form = `/Type/XObject/Subtype/Form/BBox[0 0 ${size} ${size}]/Resources<</Shading<</S 6 0 R>>>>`
  const code = `{ ${'mul sin dup cos '.repeat(200)} pop }`
  const range = `/FunctionType 4/Domain[0 ${size} 0 ${size}]/Range[0 1]`
  const shading = `<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 ${size} 0 ${size}]/Function 7 0 R>>`
  const objects = [streamOf('/S sh '.repeat(times), form), shading, streamOf(code, range)]
  return pdfOf([{ width: size, height: size, content: '/X Do' }], objects)
}

/** Small files that ask for a great deal, by name. */
export const bombs = {
  'nested forms': () => nestedForms(),
  'JPEG 2000': () => jpxImage(9900),
  'JPEG 2000 that its dictionary calls small': () => jpxImage(9900, 100),
  JBIG2: () => jbig2Bomb(60_000),
  'a mesh': () => meshBomb(),
  'a shading by a function': () => functionBomb(),
} as const satisfies Record<string, () => Buffer>

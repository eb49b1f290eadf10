import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { dotsAcross } from '../raster/paper.ts'
import type { EncodedPage } from '../t4-t6/encode-page.ts'
import { compression, fieldType, photometric, t4Option, tag } from './tags.ts'

/** A directory entry; a value of more than 4 bytes is a buffer that stands behind the directory. */
type Entry = [tag: number, type: number, count: number, value: number | Buffer]

const software = Buffer.from('Faxdeck\0', 'latin1')
const pageOfMany = 2

/**
 * Writes pages as a TIFF class F file (RFC 2301, profiles S and F): one strip a page, T.6 or T.4, FillOrder 1, white is
 * 0. Each page is written as it comes, its directory in front of its data, so nothing is collected or patched. The file appears at
 * `target` whole or not at all: it is written beside it, synced, then renamed. Returns its size in bytes.
 */
export async function writeTiff(
  target: string,
  pages: AsyncIterable<EncodedPage>,
  total: number,
  dotsDown: number,
): Promise<number> {
  const beside = `${target}.${randomBytes(6).toString('hex')}.part`
  const file = await open(beside, 'wx', 0o600)
  try {
    const bytes = await writePages(file, pages, total, dotsDown)
    await file.sync()
    await file.close()
    await rename(beside, target)
    await syncFolder(dirname(target))
    return bytes
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(beside, { force: true })
    throw error
  }
}

async function writePages(
  file: FileHandle,
  pages: AsyncIterable<EncodedPage>,
  total: number,
  dotsDown: number,
): Promise<number> {
  const header = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])
  await file.appendFile(header)
  let offset = header.length
  let number = 0
  for await (const page of pages) {
    const directory = pageDirectory(page, offset, number++, total, dotsDown)
    const padding = Buffer.alloc(page.data.length & 1)
    const bytes = Buffer.concat([directory, page.data, padding])
    await file.appendFile(bytes)
    offset += bytes.length
  }
  return offset
}

/** A rename is only durable once the folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The directory of a page that begins at `offset`, with its values; the page's data follows right behind it. */
function pageDirectory(page: EncodedPage, offset: number, number: number, total: number, dotsDown: number): Buffer {
  const { short, long, rational, ascii } = fieldType
  const build = (dataOffset: number, next: number): Buffer =>
    directory(offset, next, [
      [tag.newSubfileType, long, 1, pageOfMany],
      [tag.imageWidth, long, 1, page.width],
      [tag.imageLength, long, 1, page.height],
      [tag.bitsPerSample, short, 1, 1],
      [tag.compression, short, 1, page.t4 ? compression.t4 : compression.t6],
      [tag.photometric, short, 1, photometric.whiteIsZero],
      [tag.fillOrder, short, 1, 1],
      [tag.stripOffsets, long, 1, dataOffset],
      [tag.orientation, short, 1, 1],
      [tag.samplesPerPixel, short, 1, 1],
      [tag.rowsPerStrip, long, 1, page.height],
      [tag.stripByteCounts, long, 1, page.data.length],
      [tag.xResolution, rational, 1, ratio(dotsAcross)],
      [tag.yResolution, rational, 1, ratio(dotsDown)],
      page.t4 ? [tag.t4Options, long, 1, t4OptionsOf(page.t4)] : [tag.t6Options, long, 1, 0],
      [tag.resolutionUnit, short, 1, 2],
      [tag.pageNumber, short, 2, number | (total << 16)],
      [tag.software, ascii, software.length, software],
    ])
  const dataOffset = offset + build(0, 0).length
  const end = dataOffset + page.data.length
  return build(dataOffset, number + 1 === total ? 0 : end + (end & 1))
}

function t4OptionsOf({ coding, aligned }: NonNullable<EncodedPage['t4']>): number {
  return (coding === 'MR' ? t4Option.twoDimensional : 0) | (aligned ? t4Option.alignedEnds : 0)
}

function directory(offset: number, next: number, entries: readonly Entry[]): Buffer {
  const table = Buffer.alloc(2 + 12 * entries.length + 4)
  const behind: Buffer[] = []
  let valueOffset = offset + table.length
  table.writeUInt16LE(entries.length, 0)
  entries.forEach(([name, type, count, value], index) => {
    const at = 2 + 12 * index
    table.writeUInt16LE(name, at)
    table.writeUInt16LE(type, at + 2)
    table.writeUInt32LE(count, at + 4)
    table.writeUInt32LE(typeof value === 'number' ? value >>> 0 : valueOffset, at + 8)
    if (typeof value === 'number') return
    behind.push(value)
    valueOffset += value.length
  })
  table.writeUInt32LE(next, table.length - 4)
  return Buffer.concat([table, ...behind])
}

function ratio(whole: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(whole, 0)
  bytes.writeUInt32LE(1, 4)
  return bytes
}

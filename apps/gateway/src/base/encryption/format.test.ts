import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { chunkBytes, decryptDocument, encryptDocument, headerBytes, plainSize } from './format.ts'

const key = randomBytes(32)
const name = 'faxes/ab/one.pdf'
const sealedChunk = chunkBytes + 16

/** The file in parts of some size, as disk or network bring it. */
function* inParts(file: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
}
const read = (file: Buffer, { under = name, by = key, parts = 40_000 } = {}) =>
  buffer(Readable.from(decryptDocument(by, under, Readable.from(inParts(file, parts)))))
const refused = { name: 'StorageProblem', code: 'damaged' }

describe('an encrypted document', () => {
  it.each([0, 1, 15, 16, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 3 * chunkBytes + 17])(
    'of %i bytes comes back as it was, in parts of any size',
    async (size) => {
      const content = randomBytes(size)
      const file = encryptDocument(key, name, content)
      expect(plainSize(file.length, name)).toBe(size)
      for (const parts of [size < 20 ? 1 : 7919, 65_552, 1_000_000]) {
        expect((await read(file, { parts })).equals(content)).toBe(true)
      }
    },
  )

  it('shows nothing of its content and is another file each time', () => {
    const content = Buffer.from('%PDF-1.7 Katharina Müller, born 1961-09-07')
    const [one, two] = [encryptDocument(key, name, content), encryptDocument(key, name, content)]
    expect(one.includes('Katharina')).toBe(false)
    expect(one.includes('%PDF')).toBe(false)
    expect(one.equals(two)).toBe(false)
  })

  it('is refused when any one byte of it is another', async () => {
    const file = encryptDocument(key, name, Buffer.from('Dear colleague.'))
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      await expect(read(changed), `byte ${at}`).rejects.toMatchObject(refused)
    }
  })

  it('is refused when it is cut short anywhere', async () => {
    const file = encryptDocument(key, name, Buffer.from('Dear colleague.'))
    for (let size = 0; size < file.length; size++) {
      await expect(read(file.subarray(0, size)), `${size} bytes`).rejects.toMatchObject(refused)
    }
    const long = encryptDocument(key, name, randomBytes(3 * chunkBytes))
    for (const chunks of [0, 1, 2]) {
      await expect(read(long.subarray(0, headerBytes + chunks * sealedChunk))).rejects.toMatchObject(refused)
    }
  })

  it('is refused when chunks are exchanged, repeated, left out or added', async () => {
    const file = encryptDocument(key, name, randomBytes(3 * chunkBytes))
    const head = file.subarray(0, headerBytes)
    const chunk = (n: number) => file.subarray(headerBytes + n * sealedChunk, headerBytes + (n + 1) * sealedChunk)
    for (const order of [[1, 0, 2], [0, 0, 2], [0, 2], [0, 1, 2, 2], [2]]) {
      await expect(read(Buffer.concat([head, ...order.map(chunk)])), order.join()).rejects.toMatchObject(refused)
    }
    await expect(read(Buffer.concat([file, Buffer.alloc(16)]))).rejects.toMatchObject(refused)
  })

  it('is refused under another name, with another key, and with the header of another document', async () => {
    const [one, two] = [encryptDocument(key, name, Buffer.from('one')), encryptDocument(key, name, Buffer.from('two'))]
    await expect(read(one, { under: 'faxes/ab/two.pdf' })).rejects.toMatchObject(refused)
    await expect(read(one, { by: randomBytes(32) })).rejects.toMatchObject(refused)
    const crossed = Buffer.concat([two.subarray(0, headerBytes), one.subarray(headerBytes)])
    await expect(read(crossed)).rejects.toMatchObject(refused)
  })
})

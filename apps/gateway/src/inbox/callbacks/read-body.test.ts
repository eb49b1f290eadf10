import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DocumentMemory } from '../../base/storage/document-memory.ts'
import { readFormWithFiles, readLargeText, readText } from './read-body.ts'
import { Hold, Room } from './room.ts'

afterEach(() => vi.useRealTimers())

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-bodies-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

const rooms = () => ({ small: new Room(1e9, 1), large: new Room(1e9, 1) })
const hold = () => new Hold(rooms(), 'a', Number.NaN)
const multipart = 'multipart/form-data; boundary=xx'
const formOf = (file: Buffer) =>
  Buffer.concat([
    Buffer.from('--xx\r\ncontent-disposition: form-data; name="fax"\r\n\r\n{"id":1}\r\n'),
    Buffer.from('--xx\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
    file,
    Buffer.from('\r\n--xx--\r\n'),
  ])

describe('a body of words', () => {
  it('is cut off when it does not arrive in time, and its request can still be answered', async () => {
    vi.useFakeTimers()
    const body = new PassThrough()
    const read = readText(body, 'application/x-www-form-urlencoded', hold())
    const cut = expect(read).rejects.toMatchObject({ code: 'too_slow', status: 408 })
    for (let n = 0; n < 11; n++) {
      body.write('a')
      await vi.advanceTimersByTimeAsync(1000)
    }
    await cut
    expect(body.destroyed).toBe(false)
  })

  it('that comes in a trickle is cut off, and one that comes slowly is not', async () => {
    vi.useFakeTimers()
    const body = new PassThrough()
    const read = readFormWithFiles(body, multipart, await folder(), hold())
    const cut = expect(read).rejects.toMatchObject({ code: 'too_slow' })
    body.write(formOf(Buffer.alloc(0)).subarray(0, 100))
    for (let n = 0; n < 6; n++) {
      body.write('a')
      await vi.advanceTimersByTimeAsync(1000)
    }
    await cut
    const whole = new PassThrough()
    const steady = readFormWithFiles(whole, multipart, await folder(), hold())
    whole.write(formOf(Buffer.alloc(0)).subarray(0, -10))
    for (let n = 0; n < 20; n++) {
      whole.write(Buffer.alloc(4096))
      await vi.advanceTimersByTimeAsync(1000)
    }
    whole.end('\r\n--xx--')
    const { files, close } = await steady
    expect(files).toHaveLength(1)
    await close()
  })

  it('that is incomplete is the fault of the sender', async () => {
    const body = new PassThrough()
    const read = readText(body, 'text/plain', hold())
    body.write('half')
    body.destroy()
    await expect(read).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('a form with files', () => {
  it('has its words in memory and its files on disk, hashed, without a name that could be left behind', async () => {
    const directory = await folder()
    const content = Buffer.alloc(3_000_000, 'page ')
    const read = await readFormWithFiles(Readable.from([formOf(content)]), multipart, directory, hold())
    expect(read.fields).toEqual([['fax', '{"id":1}']])
    expect(read.files[0]).toMatchObject({ name: 'file', fileName: 'a.pdf', contentType: 'text/plain' })
    expect(read.files[0]?.sha1).toBe(createHash('sha1').update(content).digest('hex'))
    expect(content.equals(read.files[0]?.bytes ?? Buffer.alloc(0))).toBe(true)
    expect(await readdir(directory)).toEqual([])
    await read.close()
  })

  it('keeps in memory nothing of what has gone to disk', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const seen: WeakRef<Buffer>[] = []
    let alive = 0
    async function* pieces() {
      yield Buffer.from('--xx\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n')
      for (let n = 0; n < 100; n++) {
        const piece = Buffer.alloc(64 * 1024, 'page ')
        seen.push(new WeakRef(piece))
        yield piece
      }
      collect()
      await turn()
      collect()
      alive = seen.filter((piece) => piece.deref() !== undefined).length
      yield Buffer.from('\r\n--xx--\r\n')
    }
    const body = Readable.from(pieces(), { highWaterMark: 1 })
    await (await readFormWithFiles(body, multipart, await folder(), hold())).close()
    expect(seen).toHaveLength(100)
    expect(alive).toBeLessThan(10)
  })

  it.each([
    ['is incomplete', formOf(Buffer.from('x')).subarray(0, -10), 'bad_request'],
    [
      'has words without end',
      Buffer.from(`--xx\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'a'.repeat(300_000)}`),
      'too_large',
    ],
    ['is larger than 50 MB', formOf(Buffer.alloc(50 * 1024 * 1024)), 'too_large'],
  ])('that %s is refused', async (_what, body, code) => {
    const read = readFormWithFiles(Readable.from([body]), multipart, await folder(), hold())
    await expect(read).rejects.toMatchObject({ code })
  })
})

describe('words with a document in them', () => {
  it('are read whole, and large ones no more at once than there is memory for', async () => {
    const memory = new DocumentMemory(9_000_000)
    const directory = await folder()
    const read = (...pieces: Buffer[]) => readLargeText(Readable.from(pieces), directory, hold(), memory)
    const large = Buffer.alloc(2_500_000, '{"file":"JVBERi0"}')
    const first = await read(large.subarray(0, 9), large.subarray(9))
    expect(large.equals(Buffer.from(first.body))).toBe(true)
    let isRead = false
    const second = read(large).finally(() => (isRead = true))
    expect((await read(Buffer.from('{}'))).body.toString()).toBe('{}')
    for (let n = 0; n < 10; n++) await turn()
    expect(isRead).toBe(false)
    await first.close()
    await (await second).close()
  })
})

import { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wholeLines } from './whole-lines.ts'

async function handedOn(chunks: readonly Buffer[], maxBytes = 1024): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  const write = (piece: Buffer, _encoding: string, done: () => void) => {
    pieces.push(piece)
    done()
  }
  await pipeline(Readable.from(chunks), wholeLines(maxBytes), new Writable({ write }))
  return pieces
}

describe('whole lines', () => {
  it('come in one piece, however many chunks they arrive in', async () => {
    const chunk = Buffer.alloc(64, 'a')
    const message = Buffer.concat([...Array.from({ length: 500 }, () => chunk), Buffer.from('\n')])
    const chunks = Array.from({ length: Math.ceil(message.length / 64) }, (_, at) =>
      message.subarray(at * 64, at * 64 + 64),
    )
    const pieces = await handedOn([...chunks, Buffer.from('{"next":1}\n{"begun":')], 64 * 1024)
    expect(pieces.map((piece) => piece.length)).toEqual([message.length, 11])
    expect(pieces[0]?.equals(message)).toBe(true)
  })

  it('are the bytes that came, up to the last line that is complete', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\r', '\n'), maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (given, length) => {
        const bytes = Buffer.from(given)
        const chunks = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
          bytes.subarray(at * length, (at + 1) * length),
        )
        const pieces = await handedOn(chunks)
        expect(pieces.every((piece) => piece.at(-1) === 10)).toBe(true)
        expect(Buffer.concat(pieces).toString()).toBe(given.slice(0, given.lastIndexOf('\n') + 1))
      }),
    )
  })

  it('end with an error when one is longer than the limit, and not before', async () => {
    const mega = 1024 * 1024
    const lines = Readable.from([
      Buffer.alloc(mega - 1, 'a'),
      Buffer.from('\n'),
      Buffer.alloc(mega - 1, 'b'),
      Buffer.from('\n'),
    ])
    expect((await buffer(lines.pipe(wholeLines(mega)))).length).toBe(2 * mega)
    await expect(handedOn([Buffer.alloc(mega, 'a'), Buffer.from('a\n')], mega)).rejects.toThrow('larger than 1 MB')
  })
})

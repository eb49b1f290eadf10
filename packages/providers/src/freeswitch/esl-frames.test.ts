import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EslFrames, EslGarbage, readEvent } from './esl-frames.ts'

const recorded = readFileSync(new URL('fixtures/busy.txt', import.meta.url))
const stream = Buffer.concat([
  Buffer.from('Content-Type: auth/request\n\n'),
  Buffer.from('Content-Type: command/reply\nReply-Text: +OK accepted\n\n\n'),
  Buffer.from(`Content-Type: api/response\nContent-Length: ${Buffer.byteLength('grün\n\n')}\n\ngrün\n\n`),
  recorded,
])

function read(pieces: readonly Buffer[]) {
  const frames = new EslFrames()
  const messages = pieces.flatMap((piece) => frames.push(piece))
  return messages.map(({ headers, body }) => ({ headers: Object.fromEntries(headers), body }))
}

describe('messages of the event socket', () => {
  const whole = read([stream])

  it('are headers, and as many bytes of body as announced', () => {
    expect(whole).toHaveLength(5)
    expect(whole[0]).toEqual({ headers: { 'content-type': 'auth/request' }, body: '' })
    expect(whole[1]?.headers['reply-text']).toBe('+OK accepted')
    expect(whole[2]?.body).toBe('grün\n\n')
  })

  it('are the same wherever the bytes are cut', () => {
    for (let at = 0; at <= stream.length; at += 7) {
      expect(read([stream.subarray(0, at), stream.subarray(at)])).toEqual(whole)
    }
    expect(read(Array.from(stream, (byte) => Buffer.of(byte)))).toEqual(whole)
  })

  it('never throw anything but garbage for any bytes of an ordinary length', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (pieces) => {
        read(pieces.map((piece) => Buffer.from(piece)))
      }),
    )
  })

  it('that do not end, or announce too much, are given up', () => {
    const flood = () => {
      const frames = new EslFrames()
      for (let times = 0; times < 200; times += 1) frames.push(Buffer.from(`Key: ${'x'.repeat(1024)}\n`))
    }
    expect(flood).toThrow(EslGarbage)
    for (const length of ['99999999', '-1', '1e3', '0x10', 'many']) {
      expect(() => read([Buffer.from(`Content-Length: ${length}\n\n`)])).toThrow(EslGarbage)
    }
  })
})

describe('events', () => {
  it('hold percent-encoded values under names of any case, and a body of their own', () => {
    const [hangup, job] = read([recorded]).map(({ body }) => readEvent(body))
    expect(hangup?.headers.get('hangup-cause')).toBe('USER_BUSY')
    expect(hangup?.headers.get('event-date-local')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(job?.body).toBe('-ERR USER_BUSY\n')
  })

  it('keep a value whose encoding is broken as it came', () => {
    expect(readEvent('A: %E0%A4%A\nB: 100%\nC').headers).toEqual(
      new Map([
        ['a', '%E0%A4%A'],
        ['b', '100%'],
      ]),
    )
  })
})

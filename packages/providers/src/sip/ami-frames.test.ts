import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AmiFrames, AmiGarbage, writeAction } from './ami-frames.ts'

const stream = [
  'Asterisk Call Manager/11.0.0',
  'Response: Success\r\nActionID: faxdeck-1\r\nMessage: Authentication accepted\r\n',
  'Event: Hangup\r\nUniqueid: faxdeck-00ä\r\nCause: 17\r\nCause-txt: User busy\r\nVariable: one\r\nVariable: two\r\n',
  'Event: UserEvent\r\nResult: attempt=1&error=a%2Cb: c\r\n',
].join('\r\n')
const bytes = Buffer.from(`${stream}\r\n`)

function read(pieces: readonly Buffer[]): Record<string, string>[] {
  const frames = new AmiFrames()
  return pieces.flatMap((piece) => frames.push(piece)).map((message) => Object.fromEntries(message))
}

describe('messages of the manager interface', () => {
  it('are the same wherever the bytes are cut', () => {
    const whole = read([bytes])
    expect(whole).toEqual([
      { response: 'Success', actionid: 'faxdeck-1', message: 'Authentication accepted' },
      { event: 'Hangup', uniqueid: 'faxdeck-00ä', cause: '17', 'cause-txt': 'User busy', variable: 'one' },
      { event: 'UserEvent', result: 'attempt=1&error=a%2Cb: c' },
    ])
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole)
    }
    expect(read(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole)
  })

  it('may end with bare line feeds, and hold lines that are no headers', () => {
    expect(read([Buffer.from('garbage\n: nothing\nEvent: A\nno colon\n\n\n\nEvent: B\r\n\n')])).toEqual([
      { event: 'A' },
      { event: 'B' },
    ])
  })

  it('never throw for any bytes of an ordinary length', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (pieces) => {
        read(pieces.map((piece) => Buffer.from(piece)))
      }),
    )
  })

  it('that do not end are given up: one endless line, and endless lines', () => {
    const frames = new AmiFrames()
    const flood = (piece: string) => () => {
      for (let times = 0; times < 300; times += 1) frames.push(Buffer.from(piece))
    }
    expect(flood('x'.repeat(1024))).toThrow(AmiGarbage)
    expect(flood(`Key: ${'x'.repeat(1024)}\r\n`)).toThrow(AmiGarbage)
  })
})

describe('actions', () => {
  it('are written as headers, the empty line last', () => {
    expect(
      writeAction([
        ['Action', 'Ping'],
        ['Variable', 'a=b'],
        ['Variable', 'c=d: e'],
      ]),
    ).toBe('Action: Ping\r\nVariable: a=b\r\nVariable: c=d: e\r\n\r\n')
  })

  it.each(['\r', '\n', '\r\nAction: Command', '\0'])('refuse a value with %j', (hostile) => {
    expect(() =>
      writeAction([
        ['Action', 'Originate'],
        ['Channel', `PJSIP/1${hostile}`],
      ]),
    ).toThrow('Channel')
    expect(() => writeAction([[`Chan${hostile}`, 'x']])).toThrow(RangeError)
  })
})

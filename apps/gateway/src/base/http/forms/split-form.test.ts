import { describe, expect, it } from 'vitest'
import { readForm, boundaryOf, FormSplitter } from './read-form.ts'

const multipart = 'multipart/form-data; boundary=xx'
const part = (head: string, content: string) => `--xx\r\n${head}\r\n\r\n${content}\r\n`

/** The parts of a form that arrives in pieces of so many bytes. */
function splitIn(bytes: number, body: Buffer, type = multipart): (readonly [name: string, content: string])[] {
  const splitter = new FormSplitter(boundaryOf(type))
  const parts: [string, string][] = []
  for (let at = 0; at < body.length; at += bytes) {
    for (const piece of splitter.push(body.subarray(at, at + bytes))) {
      const last = parts.at(-1)
      if ('head' in piece) parts.push([piece.head.name, ''])
      else if (last) last[1] += piece.content.toString('latin1')
    }
  }
  splitter.end()
  return parts
}

function readWhole(body: Buffer, type = multipart): (readonly [name: string, content: string])[] {
  const { fields, files } = readForm(body, type)
  const texts = fields.map(([name, value]) => [name, Buffer.from(value).toString('latin1')] as const)
  return [...texts, ...files.map(({ name, bytes }) => [name, bytes.toString('latin1')] as const)]
}

describe('a form that arrives in pieces', () => {
  it('has the parts that it has when it is read at once, however it is cut', async () => {
    const tricky = ['', '\r\n', '--', '\r\n--', '--xx', '\r\n--xxx', '\r\n\r\n', 'Grüße\n', '\0\r', '-'.repeat(5000)]
    for (let seed = 0; seed < 60; seed++) {
      const form = new FormData()
      for (let n = 0; n <= seed % 5; n++) {
        const value = [0, 1, 2].map((k) => tricky[(seed * 7 + n * 3 + k * (seed % 11)) % tricky.length]).join('')
        if ((seed + n) % 3 === 0) form.append(`file ${n}`, new Blob([value]), `a "${n}".pdf`)
        else form.append(`field ${n}`, value)
      }
      const request = new Response(form)
      const type = request.headers.get('content-type') ?? ''
      const body = Buffer.from(await request.arrayBuffer())
      for (const size of [1 + (seed % 7), 64, 100_000]) {
        expect(splitIn(size, body, type).toSorted(), `${seed} in ${size}`).toEqual(readWhole(body, type).toSorted())
      }
    }
  })

  it.each([1, 3, 1000])('may hold lines that look like delimiters, cut after %i bytes', (size) => {
    const content = '\r\n--xx\r'.repeat(1000)
    const body = Buffer.from(`${part('content-disposition: form-data; name="a"', content)}--xx--\r\nepilogue`)
    expect(splitIn(size, body)).toEqual([['a', content]])
  })

  it.each([
    ['nothing', ''],
    ['another boundary', '--yy\r\n'],
    ['a part that breaks off', '--xx\r\ncontent-disposition: form-data; name="a"\r\n\r\nhalf'],
    ['a part without a head', '--xx\r\nhalf\r\n--xx--'],
    ['a part without a head before another', `--xx\r\nhalf\r\n${part('x: y', '')}--xx--`],
    ['an endless head', `${part(`x: ${'y'.repeat(20_000)}`, '')}--xx--`],
    ['too many parts', `${part('content-disposition: form-data; name="a"', '').repeat(501)}--xx--`],
    ['too many parts of nobody', `${part('x: y', '').repeat(501)}--xx--`],
    ['many lines that look like delimiters', `--xx\r\nx: y\r\n\r\n${'\r\n--xx\r'.repeat(1500)}\r\n--xx--`],
  ])('is refused with %s', (_what, text) => {
    for (const size of [1, 5, 100_000]) expect(() => splitIn(size, Buffer.from(text, 'latin1')), `${size}`).toThrow()
    expect(() => readWhole(Buffer.from(text, 'latin1'))).toThrow()
  })
})

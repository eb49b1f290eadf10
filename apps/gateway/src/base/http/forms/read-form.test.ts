import { Busboy } from '@fastify/busboy'
import { describe, expect, it } from 'vitest'
import { readForm } from './read-form.ts'

const multipart = 'multipart/form-data; boundary=xx'
const formOf = (text: string, type = multipart) => readForm(Buffer.from(text, 'latin1'), type)
const part = (head: string, content: string) => `--xx\r\n${head}\r\n\r\n${content}\r\n`

/** What a reader that we did not write finds: fields, and files with their bytes. */
function readByOther(body: Buffer, contentType: string): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const found: [string, string][] = []
    const reader = new Busboy({ headers: { 'content-type': contentType } })
    reader.on('field', (name, value) => found.push([name, value]))
    reader.on('file', (name, content) => {
      const entry: [string, string] = [name, '']
      found.push(entry)
      content.setEncoding('latin1').on('data', (text: string) => (entry[1] += text))
    })
    reader.on('error', reject)
    reader.on('finish', () => resolve(found))
    reader.end(body)
  })
}

describe('a form', () => {
  it('is read like another reader reads it, whatever its parts hold', async () => {
    const tricky = ['', '\r\n', '--', '\r\n--', '--xx', '\r\n--xxx', '\r\n\r\n', 'Grüße\n', '\0\r', '-'.repeat(5000)]
    for (let seed = 0; seed < 200; seed++) {
      const form = new FormData()
      for (let n = 0; n <= seed % 5; n++) {
        const value = [0, 1, 2].map((k) => tricky[(seed * 7 + n * 3 + k * (seed % 11)) % tricky.length]).join('')
        if ((seed + n) % 3 === 0) form.append(`file ${n}`, new Blob([value]), `a "${n}".pdf`)
        else form.append(`field ${n}`, value)
      }
      const request = new Response(form)
      const type = request.headers.get('content-type') ?? ''
      const body = Buffer.from(await request.arrayBuffer())
      const { fields, files } = readForm(body, type)
      const mine = [...fields, ...files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1')])]
      const byName = (all: readonly (readonly string[])[]) => all.map(([name, value]) => `${name}=${value}`).toSorted()
      expect(byName(mine)).toEqual(byName(await readByOther(body, type)))
    }
  })

  it('knows files by their name or type, and gives only the last part of a name', () => {
    const { fields, files } = formOf(
      part('Content-Disposition: form-data; name="a"', 'one') +
        part(
          'content-disposition: form-data; name=b; filename="C:\\\\in\\\\fax \\"1\\".pdf"\r\nContent-Type: application/PDF',
          '%PDF',
        ) +
        part('content-disposition: form-data;\r\n name="c"\r\ncontent-type: application/octet-stream', '\xff') +
        part('content-disposition: form-data', 'of nobody') +
        '--xx--\r\nepilogue',
    )
    expect(fields).toEqual([['a', 'one']])
    expect(files.map(({ bytes, ...file }) => ({ ...file, bytes: Buffer.from(bytes).toString('latin1') }))).toEqual([
      { name: 'b', fileName: 'fax "1".pdf', contentType: 'application/pdf', bytes: '%PDF' },
      { name: 'c', fileName: '', contentType: 'application/octet-stream', bytes: '\xff' },
    ])
  })

  it.each([
    [`filename*=UTF-8''Br%C3%A4u.pdf`, 'Bräu.pdf'],
    [`filename="Brau.pdf"; filename*=UTF-8''Br%C3%A4u.pdf`, 'Brau.pdf'],
    ['filename*=%C3', '%C3'],
    [`filename*=UTF-8''%C3`, `UTF-8''%C3`],
  ])('with a file named by %s knows it as %s', (name, expected) => {
    const { files } = formOf(`${part(`content-disposition: form-data; name="a"; ${name}`, 'x')}--xx--`)
    expect(files.map(({ fileName }) => fileName)).toEqual([expected])
  })

  it('may be in the address manner, and a body of another kind has no fields', () => {
    expect(formOf('to=%2B1555&to=a+b&empty=', 'application/x-www-form-urlencoded; charset=utf-8').fields).toEqual([
      ['to', '+1555'],
      ['to', 'a b'],
      ['empty', ''],
    ])
    expect(formOf('{"a":1}', 'application/json')).toEqual({ fields: [], files: [] })
  })

  it.each([
    ['nothing', '', multipart],
    ['another boundary', '--yy\r\n', multipart],
    ['no boundary', '--xx--', 'multipart/form-data'],
    ['a part that breaks off', '--xx\r\ncontent-disposition: form-data; name="a"\r\n\r\nhalf', multipart],
    ['a part without a head', '--xx\r\nhalf\r\n--xx--', multipart],
    ['an endless head', `${part(`x: ${'y'.repeat(20_000)}`, '')}--xx--`, multipart],
    ['too many parts', `${part('content-disposition: form-data; name="a"', '').repeat(501)}--xx--`, multipart],
    ['too many parts of nobody', `${part('x: y', '').repeat(501)}--xx--`, multipart],
    ['a million lines that look like delimiters', `--xx\r\n${'\r\n--xx\r'.repeat(1_000_000)}`, multipart],
    ['too many fields', 'a&'.repeat(501), 'application/x-www-form-urlencoded'],
  ])('with %s is refused', (_what, text, type) => {
    expect(() => formOf(text, type)).toThrow()
  })

  it('may have a thousand lines that look like delimiters', () => {
    const content = '\r\n--xx\r'.repeat(1000)
    const { fields } = formOf(`${part('content-disposition: form-data; name="a"', content)}--xx--`)
    expect(fields).toEqual([['a', content]])
  })
})

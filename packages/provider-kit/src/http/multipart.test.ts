import { describe, expect, it } from 'vitest'
import { readForm } from '../emulator/read-form.ts'
import { MultipartForm } from './multipart.ts'

const read = (form: MultipartForm) => readForm(Buffer.from(form.bytes()), form.contentType)

describe('a form with a file', () => {
  it('is read as it was meant', () => {
    const form = new MultipartForm()
    form.append('to', '+15555550123')
    form.append('note', 'Grüße\nzwei Zeilen')
    form.append('note', '')
    const bytes = Buffer.from(Uint8Array.from({ length: 600 }, (_, n) => n))
    form.attach('file', { name: 'fax.pdf', type: 'application/pdf', bytes })
    const { fields, files } = read(form)
    expect(fields).toEqual([
      ['to', '+15555550123'],
      ['note', 'Grüße\r\nzwei Zeilen'],
      ['note', ''],
    ])
    expect(files).toEqual([{ name: 'file', fileName: 'fax.pdf', contentType: 'application/pdf', bytes }])
  })

  it('has no name or value that could begin a part of its own', () => {
    const form = new MultipartForm()
    const hostile = 'a"\r\n\r\nx\r\n--b\r\ncontent-disposition: form-data; name="admin"\r\n\r\nyes'
    form.append(hostile, hostile)
    form.attach('file', { name: hostile, type: 'text/plain', bytes: Buffer.from(hostile) })
    const { fields, files } = read(form)
    expect([fields.length, files.length]).toEqual([1, 1])
    expect([fields[0]?.[1], files[0]?.bytes.toString()]).toEqual([hostile, hostile])
  })
})

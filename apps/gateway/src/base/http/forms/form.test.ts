import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { multipartFrame } from '../upload-limit.ts'
import { takeBody } from './arrived-body.ts'
import { readUpload } from './form.ts'

const settings = { max_file_size_mb: 1 }
const max = 1024 * 1024 + multipartFrame
const folder = mkdtempSync(join(tmpdir(), 'faxdeck-form-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const readBody = (body: PassThrough) => takeBody(body, settings, folder)

describe('a body that is arriving', () => {
  it('is whole when it has ended', async () => {
    const body = new PassThrough()
    const read = readBody(body)
    body.write('one ')
    body.write(Buffer.alloc(max - 7))
    body.end('two')
    const arrived = await read
    const bytes = arrived.read()
    // It is on disk without a name: not even a crash leaves it behind.
    expect(readdirSync(folder)).toEqual([])
    await arrived.close()
    expect([bytes.length, bytes.subarray(0, 4).toString(), bytes.subarray(-3).toString()]).toEqual([max, 'one ', 'two'])
  })

  it('is refused before its end when it is too large, and the rest is read and forgotten', async () => {
    const body = new PassThrough()
    const read = readBody(body)
    body.write(Buffer.alloc(max))
    body.write('x')
    await expect(read).rejects.toMatchObject({ code: 'too_large' })
    for (let n = 0; n < 10; n++) body.write(Buffer.alloc(max))
    body.end()
    await expect.poll(() => body.readableEnded).toBe(true)
  })

  it.each([undefined, new Error('aborted')])('is the sender’s fault when it is incomplete (%s)', async (error) => {
    const body = new PassThrough()
    const read = readBody(body)
    body.write('half')
    body.destroy(error)
    await expect(read).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('a body that is no form', () => {
  const refusal = (text: string, type = 'multipart/form-data; boundary=xx') => {
    const request = { body: Buffer.from(text), headers: { 'content-type': type } } as unknown as FastifyRequest
    return () => readUpload(request, z.object({}), settings)
  }

  it.each([
    ['is incomplete', refusal('--xx\r\ncontent-disposition: form-data; name="a"\r\n\r\nhalf')],
    ['has no boundary', refusal('--xx--', 'multipart/form-data')],
    ['has more than 500 parts', refusal(`${'--xx\r\nx: y\r\n\r\n\r\n'.repeat(501)}--xx--`)],
  ])('is refused with what is wrong: it %s', (reason, read) => {
    expect(read).toThrow(expect.objectContaining({ code: 'bad_request', message: expect.stringContaining(reason) }))
  })
})

describe('the name of an uploaded file', () => {
  const nameOf = (sent: string) => {
    const part = `--xx\r\ncontent-disposition: form-data; name="file"; filename="${sent}"\r\n\r\nwords\r\n--xx--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=xx' }
    const request = { body: Buffer.from(part), headers } as unknown as FastifyRequest
    return readUpload(request, z.object({}), settings).file?.fileName
  }

  it('keeps its ending when it is too long', () => {
    const name = nameOf(`${'a'.repeat(300)}.md`)
    expect(name).toMatch(/^a+….md$/)
    expect(name).toHaveLength(120)
    expect(nameOf('short.md')).toBe('short.md')
  })
})

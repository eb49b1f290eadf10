import { Busboy } from '@fastify/busboy'
import type { WebhookRequest } from '@faxdeck/provider-kit'

/** A webhook as it came in, before anything is known about it. */
export interface ArrivedWebhook {
  method: string
  /** The path with its query, as requested. */
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

function singleHeaders(headers: ArrivedWebhook['headers']): Record<string, string | undefined> {
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  return Object.fromEntries(single) as Record<string, string | undefined>
}

const isForm = (contentType: string) =>
  /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(contentType)

/** Reads a form of either kind from its bytes, in order of arrival. @throws {Error} when it breaks off or is none */
function readForm(body: Buffer, contentType: string): Promise<Pick<WebhookRequest, 'fields' | 'files'>> {
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = []
    const files: WebhookRequest['files'][number][] = []
    const form = new Busboy({ headers: { 'content-type': contentType }, limits: { fields: 500, files: 20 } })
    form.on('field', (name, value) => fields.push([name, value]))
    form.on('file', (name, content, fileName, _encoding, type) => {
      const chunks: Buffer[] = []
      content.on('data', (chunk: Buffer) => chunks.push(chunk))
      content.on('error', reject)
      content.on('end', () => files.push({ name, fileName, contentType: type, bytes: Buffer.concat(chunks) }))
    })
    form.on('error', reject)
    form.on('finish', () => {
      resolve({ fields, files })
    })
    form.end(body)
  })
}

/**
 * A webhook in the shape that providers verify and translate. The URL is the registered one: the public address with
 * the path and query of the request, because a signature covers what the provider was given, not what a proxy made of it.
 * @throws {Error} when a form cannot be read
 */
export async function readWebhook(arrived: ArrivedWebhook, publicUrl: string): Promise<WebhookRequest> {
  const headers = singleHeaders(arrived.headers)
  const contentType = headers['content-type'] ?? ''
  const form = isForm(contentType) ? await readForm(arrived.body, contentType) : { fields: [], files: [] }
  return {
    method: arrived.method,
    url: publicUrl + arrived.path,
    headers,
    query: Object.fromEntries(new URL(arrived.path, 'http://localhost').searchParams),
    body: arrived.body,
    ...form,
  }
}

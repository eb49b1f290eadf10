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

async function readForm(body: Buffer, contentType: string): Promise<Pick<WebhookRequest, 'fields' | 'files'>> {
  const fields: [string, string][] = []
  const files: WebhookRequest['files'][number][] = []
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, value])
    else {
      const bytes = new Uint8Array(await value.arrayBuffer())
      files.push({ name, fileName: value.name, contentType: value.type, bytes })
    }
  }
  return { fields, files }
}

/**
 * A webhook in the shape that providers verify and translate. The URL is the registered one: the public address with
 * the path and query of the request, because a signature covers what the provider was given, not what a proxy made of it.
 * @throws {TypeError} when a form cannot be read
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

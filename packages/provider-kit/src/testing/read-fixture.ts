import { readFileSync } from 'node:fs'
import { readForm } from '../emulator/read-form.ts'
import type { WebhookRequest } from '../provider.ts'

/**
 * A request as a provider sent it, from a file: the request line, its headers, an empty line, and the body.
 * Every line but those of the body may end in a line feed alone.
 * @param origin of the address it was sent to, which a signature may cover
 */
export function readFixture(file: URL, origin = 'https://fax.example.test'): WebhookRequest {
  const message = readFileSync(file)
  const { index = 0, 0: gap = '' } = /\r?\n\r?\n/.exec(message.toString('latin1')) ?? {}
  const [line = '', ...lines] = message.subarray(0, index).toString('latin1').split(/\r?\n/)
  const [method = '', path = ''] = line.split(' ')
  const headers = Object.fromEntries(
    lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
  )
  const body = message.subarray(index + gap.length)
  const type = headers['content-type'] ?? ''
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)
  const url = origin + path
  return {
    method,
    url,
    headers,
    query: Object.fromEntries(new URL(url).searchParams),
    body,
    ...(isForm ? readForm(body, type) : { fields: [], files: [] }),
  }
}

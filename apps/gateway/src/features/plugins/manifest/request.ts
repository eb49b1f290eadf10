import { basicAuthorization, formFile } from '@faxdeck/provider-kit'
import type { Action } from './action.ts'
import type { Manifest } from './manifest.ts'
import { type Context, type JsonTemplate, renderHeader, renderJson, renderText, renderUrl } from './template.ts'

/** A body with its values in place. A part of a form without a value is the document itself. */
export type PreparedBody =
  | { kind: 'none' }
  | { kind: 'json'; value: JsonTemplate }
  | { kind: 'form'; fields: readonly (readonly [name: string, value: string])[] }
  | { kind: 'multipart'; fields: readonly (readonly [name: string, value: string | null])[] }

/** A request as it would be sent. */
export interface PreparedRequest {
  method: string
  url: URL
  /** Names as they are written; Content-Type follows from the body. */
  headers: Readonly<Record<string, string>>
  body: PreparedBody
}

function prepareBody({ body }: Action, context: Context): PreparedBody {
  switch (body.kind) {
    case 'none':
      return body
    case 'json':
      return { kind: 'json', value: renderJson(body.template, context) }
    case 'form':
      return { kind: 'form', fields: body.fields.map(([name, template]) => [name, renderText(template, context)]) }
    case 'multipart':
      return {
        kind: 'multipart',
        fields: body.fields.map(([name, template]) => [name, template === null ? null : renderText(template, context)]),
      }
  }
}

function credentialsHeader({ auth }: Manifest, context: Context): Record<string, string> {
  const given = (name: string) => String(context[`creds.${name}`] ?? '')
  switch (auth.scheme) {
    case 'basic':
      return { Authorization: basicAuthorization(given('username'), given('password')) }
    case 'bearer':
      return { Authorization: renderHeader('Bearer {{creds.token}}', context) }
    case 'api_key_header':
      return { [auth.header_name]: renderHeader('{{creds.api_key}}', context) }
    default:
      return {}
  }
}

/**
 * Puts the values into one action of a manifest.
 * @throws {TemplateProblem} when a value does not fit where it is to stand
 */
export function prepareRequest(manifest: Manifest, action: Action, context: Context): PreparedRequest {
  const { method, address, headers } = action
  const url = renderUrl(address.origin, address.path, address.query, context)
  const { scheme, query_name: queryName } = manifest.auth
  if (scheme === 'api_key_query') url.searchParams.append(queryName, String(context['creds.api_key'] ?? ''))
  const own = Object.entries(headers).map(([name, template]) => [name, renderHeader(template, context)] as const)
  return {
    method,
    url,
    headers: { Accept: 'application/json', ...Object.fromEntries(own), ...credentialsHeader(manifest, context) },
    body: prepareBody(action, context),
  }
}

/** Whether the document itself is a part of the body. */
export const carriesDocument = ({ body }: Action): boolean =>
  body.kind === 'multipart' && body.fields.some(([, template]) => template === null)

/** The document where it is a part of a body. */
export interface NamedFile {
  pdf: Uint8Array
  name: string
}

/** The request for `fetch`. */
export function initOf({ method, headers, body }: PreparedRequest, file?: NamedFile): RequestInit {
  if (body.kind === 'none') return { method, headers, redirect: 'manual' }
  if (body.kind === 'json') {
    const said = { ...headers, 'Content-Type': 'application/json' }
    return { method, headers: said, redirect: 'manual', body: JSON.stringify(body.value) }
  }
  if (body.kind === 'form') {
    const form = new URLSearchParams(body.fields.map(([name, value]): [string, string] => [name, value]))
    return { method, headers, redirect: 'manual', body: form }
  }
  const form = new FormData()
  for (const [name, value] of body.fields) {
    if (value !== null) form.append(name, value)
    else if (file) form.append(name, formFile(file.pdf, 'application/pdf'), file.name)
  }
  return { method, headers, redirect: 'manual', body: form }
}

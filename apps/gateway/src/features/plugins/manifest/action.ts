import { fitsHeader } from '@faxdeck/provider-kit'
import { type ActionShape, headerName } from './shape.ts'
import {
  hasStrayBraces,
  isOnly,
  isTooDeep,
  type JsonTemplate,
  namesIn,
  parseJsonTemplate,
  textsOf,
  tooDeep,
} from './template.ts'
import { isIP } from 'node:net'

/** An address of a manifest, taken apart. Only path and query may hold placeholders. */
interface AddressTemplate {
  /** Scheme, host and port. */
  origin: string
  /** Lower case, without port and brackets. */
  host: string
  path: string
  /** With its question mark, or empty. */
  query: string
}

const parts = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i
const loopback = /^(localhost|127(\.\d+){3}|::1)$/

const isLoopbackHost = (host: string): boolean => loopback.test(host)

/** A name of the public Internet: no address, no name that only this machine or network knows. */
function isPublicName(host: string): boolean {
  const isName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host)
  return isName && isIP(host) === 0 && !/\.(localhost|local|internal|home\.arpa)$/.test(host)
}

/**
 * Takes a manifest's address apart.
 * @param allowLoopback whether manifests may speak to this machine: for tests only
 * @returns the parts, or a sentence that says what is wrong
 */
function readAddress(template: string, allowLoopback: boolean): AddressTemplate | string {
  const match = parts.exec(template)
  if (!match) return 'Enter a full URL that begins with https://.'
  const [, scheme = '', authority = '', path = '', query = '', fragment] = match
  if (authority.includes('@'))
    return 'Leave the user and the password out of the address; auth.scheme says how they are sent.'
  if (/[{}]/.test(authority)) return 'Scheme and host must be literal: placeholders are allowed only in path and query.'
  const url = URL.parse(`${scheme}://${authority}`)
  if (!url) return 'It has no valid host.'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isHere = allowLoopback && isLoopbackHost(host)
  if (!isHere && !isPublicName(host)) {
    return `${host} is not a public host name: manifests can’t call IP addresses, this machine or its network.`
  }
  if (url.protocol !== 'https:' && !isHere) return 'It must begin with https://, so that nobody can read it in transit.'
  if (fragment !== undefined) return 'It must not contain a #: what follows it would never be sent.'
  return { origin: url.origin, host, path: path === '' ? '/' : path, query }
}

/** The body of a request. The fields of a form are in order; a part that is the document itself has no template. */
type BodyTemplate =
  | { kind: 'none' }
  | { kind: 'json'; template: JsonTemplate }
  | { kind: 'form'; fields: readonly (readonly [name: string, template: string])[] }
  | { kind: 'multipart'; fields: readonly (readonly [name: string, template: string | null])[] }

/** One request a manifest can make. */
export interface Action {
  method: ActionShape['method']
  address: AddressTemplate
  headers: Readonly<Record<string, string>>
  body: BodyTemplate
  response: ActionShape['response']
  /** Every placeholder that is used. */
  names: readonly string[]
}

/** What is wrong, and with which field of the manifest. */
export interface Fault {
  path: readonly string[]
  message: string
}

const fileParts = new Set(['attachment', 'file', 'document'])
const ownHeaders = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'expect',
  'te',
])
const responsePath = /^\w+(\[\d+\])*(\.\w+(\[\d+\])*)*$/

function fieldsOf(template: ActionShape['body']['template']): (readonly [string, string])[] {
  if (typeof template === 'string') return [...new URLSearchParams(template)]
  if (Array.isArray(template)) return []
  return Object.entries(template).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
}

function readJson(template: ActionShape['body']['template']): JsonTemplate | string {
  if (typeof template !== 'string') return template
  try {
    const read = parseJsonTemplate(template)
    if (isTooDeep(read)) return tooDeep
    return typeof read === 'object' && read !== null ? read : 'It must be a JSON object or list.'
  } catch (error) {
    return `It is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`
  }
}

function readBody({ body, method }: ActionShape): BodyTemplate | string {
  const { kind, template } = body
  if (kind === 'none') return { kind }
  if (method === 'GET') return 'A GET has no body: use POST, or put the values into the query.'
  if (kind === 'json') {
    const read = readJson(template)
    return typeof read === 'string' ? read : { kind, template: read }
  }
  const fields = fieldsOf(template)
  if (fields.length === 0) return 'It has no fields: write them as a=b&c={{to}}, or as an object of names and values.'
  if (kind === 'form') return { kind, fields }
  const parts = fields.map(([name, value]): readonly [string, string | null] => {
    return [name, isOnly(value, 'file') || fileParts.has(name.toLowerCase()) ? null : value]
  })
  return { kind, fields: parts }
}

/** Single braces are the names of path_params. */
function withPathParams({ url, path_params: params }: ActionShape): string {
  return url.replace(/(?<!\{)\{(\w+)\}(?!\})/g, (braces, name: string) => {
    const source = params.find((param) => param.name === name)?.source
    return source === undefined ? braces : `{{${source.replace(/[{}\s]/g, '')}}}`
  })
}

function textsOfBody(body: BodyTemplate): string[] {
  if (body.kind === 'json') return textsOf(body.template)
  return body.kind === 'none' ? [] : body.fields.flatMap(([, template]) => template ?? [])
}

function headerFaults(headers: Readonly<Record<string, string>>): Fault[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const own = ownHeaders.has(name.toLowerCase())
    const faults = [
      ...(own ? ['The gateway sets this header itself.'] : []),
      ...(headerName.test(name) ? [] : ['This is not a header name.']),
      ...(fitsHeader.test(value)
        ? []
        : ['A header value is one line of plain characters: remove line breaks and the like.']),
    ]
    return faults.map((message) => ({ path: ['headers', name], message }))
  })
}

function responseFaults({ response }: ActionShape): Fault[] {
  return Object.entries({
    job_id: response.job_id,
    status: response.status,
    to: response.to,
    reference: response.reference,
    error: response.error,
    pages: response.pages,
  })
    .filter(([, path]) => path !== undefined && !responsePath.test(path))
    .map(([field]) => ({
      path: ['response', field],
      message: 'It must be the path of a field in the response, such as data.faxes[0].id.',
    }))
}

/**
 * Takes one action of a manifest apart.
 * @returns the action, or everything that is wrong with it
 */
export function readAction(shape: ActionShape, allowLoopback: boolean): { action?: Action; faults: Fault[] } {
  const url = withPathParams(shape)
  const address = readAddress(url, allowLoopback)
  const body = readBody(shape)
  const faults = [...headerFaults(shape.headers), ...responseFaults(shape)]
  if (typeof address === 'string') faults.push({ path: ['url'], message: address })
  else if (/[{}]/.test((address.path + address.query).replace(/\{\{\s*[\w.]+\s*\}\}/g, ''))) {
    faults.push({
      path: ['url'],
      message: 'There are unmatched braces: write {{to}}, or define the name in {…} under path_params.',
    })
  }
  if (typeof body === 'string') faults.push({ path: ['body', 'template'], message: body })
  if (typeof address === 'string' || typeof body === 'string') return { faults }
  const inBody = textsOfBody(body)
  const inHeaders = Object.entries(shape.headers)
  if (inBody.some(hasStrayBraces))
    faults.push({ path: ['body', 'template'], message: 'It has braces that are not a placeholder.' })
  for (const [name, template] of inHeaders) {
    if (hasStrayBraces(template))
      faults.push({ path: ['headers', name], message: 'It has braces that are not a placeholder.' })
  }
  const names = [address.path, address.query, ...inBody, ...inHeaders.map(([, template]) => template)].flatMap(namesIn)
  const { method, headers, response } = shape
  return { action: { method, address, headers, body, response, names: [...new Set(names)] }, faults }
}

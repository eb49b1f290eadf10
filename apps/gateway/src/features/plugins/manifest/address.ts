import { isIP } from 'node:net'

/** An address of a manifest, taken apart. Only path and query may hold placeholders. */
export interface AddressTemplate {
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
export function readAddress(template: string, allowLoopback: boolean): AddressTemplate | string {
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

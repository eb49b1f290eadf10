import { isIP } from 'node:net'
import { type CoreSettings, listItems } from '@faxdeck/settings'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** The settings that say who is near, who is trusted and what we are called. */
export type NetworkSettings = Pick<
  CoreSettings,
  'host' | 'public_api_url' | 'allowed_hosts' | 'admin_allowed_cidrs' | 'internal_allowed_cidrs' | 'trusted_proxies'
>

/** What the guards ask of the network settings, compiled once per change. */
export interface Network {
  /** Whether a Host header names us. */
  answersTo: (host: string) => boolean
  /** Whether pages of an origin may call us at a host. */
  isOwnPage: (origin: string, host: string) => boolean
  isProxy: (address: string) => boolean
  mayAdminister: (address: string) => boolean
  isInternal: (address: string) => boolean
}

let latest: { text: string; address: Address | undefined } = { text: '', address: undefined }

/** Several questions about a caller follow each other: what was parsed last is remembered. */
function parse(text: string): Address | undefined {
  if (latest.text !== text) latest = { text, address: isIP(text) === 0 ? undefined : ipaddr.process(text) }
  return latest.address
}

/** The address in normalized form, IPv4 in IPv6 unwrapped; undefined if it is not an address. */
export function cleanAddress(address: string): string | undefined {
  return parse(address)?.toString()
}

function rangeOf(item: string): Range {
  if (item.includes('/')) return ipaddr.parseCIDR(item)
  const address = ipaddr.parse(item)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** What one sender has for itself: an address, or the 64 bits of an IPv6 network that any of its addresses may come from. */
export function senderOf(address: string): string {
  const known = parse(address)
  if (known?.kind() !== 'ipv6') return known?.toString() ?? address
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${known.toString().replace(/%.*/, '')}/64`)
  return `${network.toString()}/64`
}

export function isLoopback(address: string): boolean {
  return parse(address)?.range() === 'loopback'
}

/** Whether an address is in one of the networks of a comma separated list. */
export function within(list: string | null): (text: string) => boolean {
  const ranges = listItems(list).map(rangeOf)
  return (text) => {
    const address = parse(text)
    return (
      address !== undefined &&
      ranges.some(([base, bits]) => base.kind() === address.kind() && address.match([base, bits]))
    )
  }
}

/** The name of a Host header, lower-case, without port and brackets. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
}

/** By either name a browser on this machine finds us; names below localhost may be those of anything else. */
const isThisMachine = (name: string) => name === 'localhost' || isLoopback(nameOf(name))

/**
 * Whether a page was served by us: at the very address that it calls, with its port; at the public address, with its
 * scheme; or, where a proxy names us otherwise, at a name of ALLOWED_HOSTS with the port of its scheme.
 */
function isOwnPage(origin: string, host: string, publicUrl: URL, allowed: ReadonlySet<string>): boolean {
  const page = URL.parse(origin)
  if (!page || (page.protocol !== 'http:' && page.protocol !== 'https:')) return false
  if (page.host === publicUrl.host) return page.protocol === publicUrl.protocol
  const called = URL.parse(`${page.protocol}//${host}`)
  const isSame = page.hostname === called?.hostname
  if (called?.port === page.port && (isSame || (isThisMachine(page.hostname) && isThisMachine(called.hostname))))
    return true
  return page.port === '' && allowed.has(page.hostname)
}

export function networkOf(settings: NetworkSettings): Network {
  const publicUrl = new URL(settings.public_api_url)
  const allowed = new Set(listItems(settings.allowed_hosts).map((name) => name.toLowerCase()))
  const names = new Set([
    'localhost',
    ...(['0.0.0.0', '::'].includes(settings.host) ? [] : [nameOf(settings.host)]),
    nameOf(publicUrl.hostname),
    ...allowed,
  ])
  const inAdminRange = within(settings.admin_allowed_cidrs)
  const inInternalRange = within(settings.internal_allowed_cidrs)
  return {
    answersTo: (host) => {
      const name = nameOf(host)
      return names.has(name) || name.endsWith('.localhost') || isLoopback(name)
    },
    isOwnPage: (origin, host) => isOwnPage(origin, host, publicUrl, allowed),
    isProxy: within(settings.trusted_proxies),
    mayAdminister: (address) => isLoopback(address) || inAdminRange(address),
    isInternal: (address) => isLoopback(address) || inInternalRange(address),
  }
}

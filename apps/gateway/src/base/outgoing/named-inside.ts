import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { SettingValue } from '@faxdeck/settings'
import { FetchRefused } from './answer.ts'

/** Whether a host stands for this machine or its network by itself. Public names that lead there are refused elsewhere. */
function isInside(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return isIP(host) !== 0 && ipaddr.process(host).range() !== 'unicast'
}

const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, '$1')

/** The addresses that settings name, as `host:port`. */
function namedBy(values: readonly SettingValue[]): ReadonlySet<string> {
  const urls = values.flatMap((value) =>
    typeof value === 'string' ? (URL.parse(value) ?? URL.parse(`https://${value}`) ?? []) : [],
  )
  return new Set(urls.map(({ host }) => host))
}

/**
 * A fetch that goes to this machine or its network only where a setting names that very address: what a person wrote,
 * never what came over the wire.
 * @param values the settings in question
 */
export function onlyNamedInside(
  fetch: typeof globalThis.fetch,
  values: readonly SettingValue[],
): typeof globalThis.fetch {
  const named = namedBy(values)
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (isInside(hostOf(url)) && !named.has(url.host)) {
      throw new FetchRefused(`${url.host} is an internal address that no setting names.`)
    }
    return fetch(input, init)
  }
}

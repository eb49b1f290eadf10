import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { listItems } from '@faxdeck/settings'
import { within } from '../http/callers/network.ts'

const insideFault =
  'Webhooks can only reach the public internet. To allow a private address, add its network to WEBHOOK_ALLOWED_CIDRS.'

const isNamed = (address: string, allowed: string | null) => listItems(allowed).length > 0 && within(allowed)(address)

/** Whether webhooks may go to an address: those of the public Internet, and what WEBHOOK_ALLOWED_CIDRS names. */
export const mayReceiveWebhooks = (address: string, allowed: string | null): boolean =>
  ipaddr.process(address).range() === 'unicast' || isNamed(address, allowed)

/** Why a URL cannot be a webhook's; undefined when it can. Where a name leads is checked when it is called. */
export function webhookFault(url: string, allowed: string | null): string | undefined {
  const { hostname, protocol, username, password } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const address = host === 'localhost' ? '127.0.0.1' : host
  if (username || password) return 'Remove the user name and password from the address. Deliveries are signed instead.'
  if (isIP(address) === 0) {
    return protocol === 'https:'
      ? undefined
      : 'Use https://. Plain http:// is only for networks listed in WEBHOOK_ALLOWED_CIDRS.'
  }
  if (!mayReceiveWebhooks(address, allowed)) return insideFault
  return protocol === 'https:' || isNamed(address, allowed) ? undefined : 'Deliveries go over https:// only.'
}

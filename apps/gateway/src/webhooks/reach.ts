import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { listItems } from '@faxdeck/settings'
import { within } from '../http/network.ts'

/** To which addresses webhooks may go: those of the public Internet, and what WEBHOOK_ALLOWED_CIDRS names. */
export interface Reach {
  mayReach: (address: string) => boolean
  /** Why an address cannot be a webhook's; undefined when it can. What a name leads to is looked at when it is called. */
  faultOf: (url: string) => string | undefined
}

const insideFault =
  'Webhooks go to addresses of the public Internet. For one inside, name its network in WEBHOOK_ALLOWED_CIDRS.'

export function createReach(allowed: () => string | null): Reach {
  const isNamed = (address: string) => listItems(allowed()).length > 0 && within(allowed())(address)
  const mayReach = (address: string) => ipaddr.process(address).range() === 'unicast' || isNamed(address)
  return {
    mayReach,
    faultOf: (url) => {
      const { hostname, protocol, username, password } = new URL(url)
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      const address = host === 'localhost' ? '127.0.0.1' : host
      if (username || password) return 'Leave user and password out of the address: messages are signed.'
      if (isIP(address) === 0) {
        return protocol === 'https:'
          ? undefined
          : 'Messages go over https:// only; http:// is for networks named in WEBHOOK_ALLOWED_CIDRS.'
      }
      if (!mayReach(address)) return insideFault
      return protocol === 'https:' || isNamed(address) ? undefined : 'Messages go over https:// only.'
    },
  }
}

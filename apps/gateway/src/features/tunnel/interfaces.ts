import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** An interface of this machine that a tunnel made. */
export interface TunnelInterface {
  name: string
  address: string
}

/** By how its interfaces are called, and for Tailscale by the range it gives out: 100.64.0.0/10. */
const marks: Readonly<Record<string, (name: string, address: string) => boolean>> = {
  wireguard: (name) => /^wg/.test(name),
  tailscale: (name, address) => /^(tailscale|utun)/.test(name) && ipaddr.parse(address).range() === 'carrierGradeNat',
}

/** The interface of a kind of tunnel that is up here; undefined when there is none, or it has none of its own. */
export function findInterface(provider: string, present = networkInterfaces()): TunnelInterface | undefined {
  const isOurs = marks[provider]
  if (!isOurs) return undefined
  const all = Object.entries(present).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => ({ name, address })),
  )
  return all.find(({ name, address }) => isOurs(name, address))
}

import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { AskOurselves } from '../../base/outgoing/ask-ourselves.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { Pairing } from './pair.ts'
import { removeCodesOf } from './store.ts'
import type { TunnelStatus } from '@faxdeck/contract'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** An interface of this machine that a tunnel made. */
interface TunnelInterface {
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

type Known = Pick<TunnelStatus, 'status' | 'local_ip' | 'error_message'>

const names = { cloudflare: 'Cloudflare', wireguard: 'WireGuard', tailscale: 'Tailscale' }

const cloudflareUnseen =
  'Faxdeck does not start cloudflared and cannot see whether it runs. Start it yourself, set the public API URL to its address, and test that.'
const cloudflareReads =
  'Cloudflare decrypts what passes through it. While HTTPS is enforced and keys are required, use WireGuard or Tailscale, or an agreement with Cloudflare that covers health information.'

function isForHealthData({ enforce_public_https, require_api_key }: SettingsInForce): boolean {
  return enforce_public_https && require_api_key
}

/** What this machine shows of a tunnel. A connection is never claimed: its other end is not ours to see. */
function lookFor(provider: keyof typeof names, values: SettingsInForce, find: typeof findInterface): Known {
  if (provider === 'cloudflare') {
    const error_message = isForHealthData(values) ? cloudflareReads : cloudflareUnseen
    return { status: 'error', local_ip: null, error_message }
  }
  const found = find(provider)
  if (!found) {
    const error_message = `No interface of ${names[provider]} is up on this machine. Faxdeck does not start it. Start it yourself.`
    return { status: 'error', local_ip: null, error_message }
  }
  const error_message = `${found.name} is up on this machine. Faxdeck can’t see whether the other side answers.`
  return { status: 'connecting', local_ip: found.address, error_message }
}

/** The tunnel as chosen, and what the gateway truly knows of it. `public_url` is never guessed: it stays null. */
function tunnelStatus(values: SettingsInForce, now: Date, find = findInterface): TunnelStatus {
  const provider = values.tunnel_provider
  const enabled = values.tunnel_enabled && provider !== 'none'
  const known: Known = enabled
    ? lookFor(provider, values, find)
    : { status: 'disabled', local_ip: null, error_message: null }
  return { enabled, provider, public_url: null, last_checked: now.toISOString(), ...known }
}

const longestMs = 3000

/** `fax.example.org:443/health`, as a person would ask for it. */
function targetOf(publicUrl: string): string {
  const { hostname, port, protocol, pathname } = new URL(publicUrl)
  const usual = protocol === 'https:' ? '443' : '80'
  return `${hostname}:${port || usual}${pathname.replace(/\/$/, '')}/health`
}

/** The tunnel that somebody runs beside the gateway, and the pairing of devices. */
export function createTunnel(context: GatewayContext, askOurselves: AskOurselves) {
  const { settings, events, moments, now } = context
  const pairing = new Pairing(context)
  // Whoever holds a code that a key made gets a key of their own for it.
  moments.tokenEnded.push(removeCodesOf)
  const status = () => tunnelStatus(settings.current(), now())
  const routes = {
    getTunnelStatus: status,

    configureTunnel: async ({ body, caller }) => {
      const values = { tunnel_enabled: body.enabled, tunnel_provider: body.provider }
      const changed = Object.keys(values)
      await settings.save(values, caller.keyId, (tx) => events.settingsChanged({ key_id: caller.keyId, changed }, tx))
      return status()
    },

    testTunnel: async () => {
      const publicUrl = settings.current().public_api_url.replace(/\/+$/, '')
      const { passed, detail } = await askOurselves(publicUrl, AbortSignal.timeout(longestMs))
      return { ok: passed, message: detail, target: targetOf(publicUrl) }
    },

    pairTunnel: ({ caller }) => pairing.make(caller.keyId),

    redeemPairing: ({ body, caller }) => pairing.redeem(body.code, body.name ?? null, caller.address),
  } satisfies Partial<Handlers>
  return { name: 'tunnel', routes } satisfies Feature
}

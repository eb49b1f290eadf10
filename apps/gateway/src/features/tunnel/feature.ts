import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { AskOurselves } from '../../base/outgoing/ask-ourselves.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { Pairing } from './pair.ts'
import { removeCodesOf } from './store.ts'
import { tunnelStatus } from './status.ts'

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

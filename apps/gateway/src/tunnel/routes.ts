import type { Database } from '../db/database.ts'
import type { Events } from '../events/events.ts'
import type { AskOurselves } from '../health/ask-ourselves.ts'
import type { Handlers } from '../http/handler.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import { Pairing } from './pair.ts'
import { tunnelStatus } from './status.ts'

export type TunnelRoutes = 'getTunnelStatus' | 'configureTunnel' | 'testTunnel' | 'pairTunnel' | 'redeemPairing'

interface TunnelParts {
  settings: LiveSettings
  database: Database
  events: Pick<Events, 'settingsChanged' | 'pairingCodeMade' | 'pairingRefused' | 'apiKeyCreated'>
  askOurselves: AskOurselves
  now: () => Date
}

const longestMs = 3000

/** `fax.example.org:443/health`, as a person would ask for it. */
function targetOf(publicUrl: string): string {
  const { hostname, port, protocol, pathname } = new URL(publicUrl)
  const usual = protocol === 'https:' ? '443' : '80'
  return `${hostname}:${port || usual}${pathname.replace(/\/$/, '')}/health`
}

/** The tunnel that somebody runs beside the gateway, and the pairing of devices. */
export function tunnelHandlers({ settings, database, events, askOurselves, now }: TunnelParts): Handlers<TunnelRoutes> {
  const pairing = new Pairing({ database, events, now })
  const status = () => tunnelStatus(settings.current(), now())
  return {
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
  }
}

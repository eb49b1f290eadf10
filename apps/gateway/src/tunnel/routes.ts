import type { Host } from '@faxdeck/provider-kit'
import type { Database } from '../db/database.ts'
import type { Events } from '../events/events.ts'
import { askOurselves } from '../health/ask-ourselves.ts'
import type { Handlers } from '../http/handler.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import { Pairing } from './pair.ts'
import { tunnelStatus } from './status.ts'

export type TunnelRoutes = 'getTunnelStatus' | 'configureTunnel' | 'testTunnel' | 'pairTunnel' | 'redeemPairing'

interface TunnelParts {
  settings: LiveSettings
  database: Database
  events: Pick<Events, 'settingsChanged' | 'pairingCodeMade' | 'pairingRefused' | 'apiKeyCreated'>
  /** How the outside is asked, and under which address it knows us. */
  host: () => Pick<Host, 'fetch' | 'publicUrl'>
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
export function tunnelHandlers({ settings, database, events, host, now }: TunnelParts): Handlers<TunnelRoutes> {
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
      const asked = host()
      const { passed, detail } = await askOurselves(asked, AbortSignal.timeout(longestMs))
      return { ok: passed, message: detail, target: targetOf(asked.publicUrl) }
    },

    pairTunnel: ({ caller }) => pairing.make(caller.keyId),

    redeemPairing: ({ body, caller, setHeader }) => {
      setHeader('cache-control', 'no-store')
      return pairing.redeem(body.code, body.name ?? null, caller.address)
    },
  }
}

import type { IncomingFax, Provider, ProviderSettings, StatusUpdate } from '@faxdeck/provider-kit'
import type { FastifyRequest } from 'fastify'
import type { Events } from '../events/events.ts'
import type { Faxes } from '../faxes/faxes.ts'
import type { Guards } from '../http/guards.ts'
import type { Inbound } from '../inbound/inbound.ts'
import type { Counters } from '../metrics/counts.ts'
import type { Settings } from '../settings/settings.ts'

/** What the webhooks of providers need of the house. */
export interface CallbackDoors {
  providers: readonly Provider[]
  settings: () => ProviderSettings
  /** The public address, without a trailing slash. */
  publicUrl: () => string
  /** Whether an address belongs to the private side: loopback or INTERNAL_ALLOWED_CIDRS. */
  isInternal: (request: FastifyRequest) => boolean
  /** Whether faxes are received now. */
  receives: () => boolean
  report: (providerId: string, update: StatusUpdate) => Promise<void>
  /** Undefined when the fax is not recorded, because receiving is off. */
  receive: (providerId: string, fax: IncomingFax) => Promise<object | undefined>
  /** Records that a fax was left with its provider. */
  declined: (facts: { path: string; backend: string; provider_id: string }) => Promise<void>
  /** Records a request that could not prove where it comes from. */
  refused: (facts: { path: string; backend: string }) => Promise<void>
}

interface House {
  providers: readonly Provider[]
  settings: Settings['current']
  guards: Guards
  events: Events
  counters: Counters
  faxes: Pick<Faxes, 'report'>
  inbound: Pick<Inbound, 'receive'>
}

/** The doors of the house, each use of them counted. */
export function callbackDoors({ providers, settings, guards, events, counters, faxes, inbound }: House): CallbackDoors {
  const orCounted = (provider: string) => (error: unknown) => {
    counters.countCallback(provider, 'failed')
    throw error
  }
  return {
    providers,
    settings,
    publicUrl: () => settings().public_api_url.replace(/\/+$/, ''),
    isInternal: (request) => guards.isInternal(request),
    receives: () => settings().inbound_enabled,
    report: async (provider, update) => {
      await faxes.report(provider, update).catch(orCounted(provider))
      counters.countCallback(provider, 'recorded')
    },
    receive: async (provider, fax) => {
      const received = await inbound.receive(provider, fax).catch(orCounted(provider))
      if (received) counters.countCallback(provider, 'recorded')
      return received
    },
    declined: async (facts) => {
      counters.countCallback(facts.backend, 'refused')
      await events.inboundDeclined(facts)
    },
    refused: async (facts) => {
      counters.countCallback(facts.backend, 'refused')
      await events.callbackRefused(facts)
    },
  }
}

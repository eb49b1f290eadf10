import type { IncomingFax, Provider, ProviderSettings, StatusUpdate } from '@faxdeck/provider-kit'
import type { FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../base/context.ts'
import { report } from '../../fax/line/report.ts'
import type { Guards } from '../../base/http/callers/guards.ts'
import { MinuteCounter } from '../../base/http/callers/minute-counter.ts'
import { senderOf } from '../../base/http/callers/network.ts'
import { type Received, receiveFax } from '../inbound/receive.ts'
import { scratchIn } from '../../base/settings/data-directory.ts'
import type { DocumentMemory } from '../../base/storage/document-memory.ts'
import { Refusals, type Refusal } from '../../base/http/callers/refusals.ts'

/** What the callbacks of providers are served with, and where what they report goes. */
export interface CallbackIntake {
  providers: readonly Provider[]
  settings: () => ProviderSettings
  /** The public address, without a trailing slash. */
  publicUrl: () => string
  /** Whether an address belongs to the private side: loopback or INTERNAL_ALLOWED_CIDRS. */
  isInternal: (request: FastifyRequest) => boolean
  /** Who sends, as far as senders are distinguished: an address, or an IPv6 network. */
  senderOf: (request: FastifyRequest) => string
  /** A folder for files that do not outlive the call. */
  scratch: string
  /** Where documents wait for their turn in memory. */
  memory: DocumentMemory
  /** Whether faxes are received now. */
  receives: () => boolean
  report: (providerId: string, update: StatusUpdate) => Promise<void>
  /** Undefined when the fax is not recorded, because receiving is off. */
  receive: (providerId: string, fax: IncomingFax) => Promise<Pick<Received, 'id'> | undefined>
  /** Records that a proved request was not understood, once a minute for each address. */
  unreadable: (facts: { path: string; backend: string; error: string }) => Promise<void>
  /** Records that a fax was left with its provider, once a minute however often it is brought. */
  declined: (facts: { path: string; backend: string; provider_id: string }) => Promise<void>
  /** Counts a request that could not prove where it comes from, and records it; see `Refusals`. */
  refused: (refusal: Refusal) => Promise<void>
  /** Records what was only counted so far. */
  close: () => Promise<void>
}

/** Where callbacks go in a gateway. Each one is counted. */
export function createIntake(context: GatewayContext, providers: readonly Provider[], guards: Guards): CallbackIntake {
  const { settings, events, counters, now, log } = context
  const refusals = new Refusals({
    record: (facts) => events.callbackRefused(facts),
    onFailure: (error) => log.error({ err: error }, 'Refused callbacks could not be recorded.'),
  })
  const seen = new MinuteCounter(now)
  const orCounted = (provider: string) => (error: unknown) => {
    counters.countCallback(provider, 'failed')
    throw error
  }
  return {
    providers,
    settings: settings.current,
    publicUrl: () => settings.current().public_api_url.replace(/\/+$/, ''),
    isInternal: (request) => guards.isInternal(request),
    senderOf: (request) => senderOf(guards.originOf(request).address),
    scratch: scratchIn(context.directory),
    memory: context.memory,
    receives: () => settings.current().inbound_enabled,
    report: async (provider, update) => {
      await report(context, provider, update).catch(orCounted(provider))
      counters.countCallback(provider, 'recorded')
    },
    receive: async (provider, fax) => {
      const received = await receiveFax(context, provider, fax).catch(orCounted(provider))
      if (received) counters.countCallback(provider, 'recorded')
      return received
    },
    unreadable: async (facts) => {
      counters.countCallback(facts.backend, 'failed')
      if (seen.count(`unreadable ${facts.path}`) === 1) await events.callbackUnreadable(facts)
    },
    declined: async (facts) => {
      counters.countCallback(facts.backend, 'refused')
      const { path, provider_id: id } = facts
      if (seen.count(`declined ${path} ${id}`) === 1) await events.inboundDeclined(facts)
    },
    refused: async (refusal) => {
      counters.countCallback(refusal.backend, 'unproved')
      await refusals.add(refusal)
    },
    close: () => refusals.close(),
  }
}

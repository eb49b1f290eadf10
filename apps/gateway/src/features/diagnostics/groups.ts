import { isLoopbackUrl, type Provider } from '@faxdeck/provider-kit'
import type { AskOurselves } from '../../base/outgoing/ask-ourselves.ts'
import type { Group, Probe } from '../../base/checks.ts'
import type { Documents } from '@faxdeck/documents'
import { senderFor, senderGaps } from '../../paper/pages/header-values.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { type StateCount, sumOf } from '../../fax/move/job-states.ts'
import type { Queue } from '../../base/queue/queue.ts'
import type { ProviderAccess } from '../../base/providers/access.ts'
import { testLineSentence } from '../../base/providers/test-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { inboundLeftBehind } from '../../inbox/inbound/overview.ts'
import { groundOf, providerProbes, receivesThrough } from './provider-probes.ts'

const onlyHere = 'can be reached from this machine only'

/**
 * Whether this gateway answers under its public address. Seen from inside: a pass does not prove the way from outside.
 * @param isNeeded whether a provider in use has to reach it
 */
export function callbacksGroup(publicUrl: string, ask: AskOurselves, isNeeded: boolean): Group {
  return {
    name: 'callbacks',
    facts: { public_api_url: publicUrl },
    probes: [
      {
        name: 'public_url_reachable',
        severity: 'warning',
        hint: 'Providers can’t fetch documents or send callbacks. Set the public API URL to an https:// address that reaches this gateway from the internet.',
        setting: 'public_api_url',
        run: async (signal) => {
          if (isLoopbackUrl(publicUrl)) {
            if (isNeeded) return { passed: false, detail: `${publicUrl} ${onlyHere}.` }
            return { passed: true, detail: `${publicUrl} ${onlyHere}; no provider needs one now.` }
          }
          const { passed, detail, hint } = await ask(publicUrl, signal)
          return { passed, detail, ...(hint !== undefined && { instead: { hint } }) }
        },
      },
    ],
  }
}

const senderProbe = (values: SettingsInForce, provider: Provider): Probe => ({
  name: 'sender_named',
  severity: 'warning',
  hint: 'Faxes say nowhere who sends them. Many countries require the name and the fax number of the sender on each fax: enter both under Settings, Header line.',
  setting: 'fax_header',
  run: () => {
    if (!values.fax_header_line && values.fax_cover === 'none')
      return { passed: true, detail: 'no header line and no cover page' }
    return { passed: senderGaps(values, provider).length === 0 }
  },
})

/** What is printed on every page: a cover that cannot be set is refused, but nobody sees the header line beforehand. */
export function pagesGroup(
  documents: Pick<Documents, 'findUnprintable'>,
  values: SettingsInForce,
  provider: Provider,
): Group {
  return {
    name: 'pages',
    probes: [
      ...(provider.kind === 'builtin' ? [] : [senderProbe(values, provider)]),
      {
        name: 'header_line_printable',
        severity: 'warning',
        hint: 'The sender on the header line has characters that the fax font cannot draw; pages carry their codes instead: write the name another way, or install a font that has them.',
        setting: 'fax_header',
        run: async () => {
          if (!values.fax_header_line) return { passed: true, detail: 'no header line' }
          const missing = await documents.findUnprintable(senderFor(values, provider).sender ?? '')
          return missing.length === 0 ? { passed: true } : { passed: false, detail: `${missing.join(', ')}.` }
        },
      },
    ],
  }
}

const longestWaitMs = 15 * 60_000

interface QueueParts {
  queue: Pick<Queue, 'depth'>
  /** How many faxes stand in each state. */
  states: () => Promise<StateCount[]>
  /** The names of providers that take no fax now. Their own checks report what waits for them. */
  paused: () => readonly string[]
  now: () => Date
}

/** Work that is due and not taken up. */
export function queueGroup({ queue, states, paused, now }: QueueParts): Group {
  return {
    name: 'queue',
    probes: [
      {
        name: 'oldest_age',
        severity: 'warning',
        hint: 'Work is more than 15 minutes overdue. Look at the jobs in progress, and allow more simultaneous faxes if the provider supports it.',
        setting: 'lane_concurrency',
        run: async () => {
          const { oldest_due_at: oldest } = await queue.depth()
          const waited = oldest === null ? 0 : now().getTime() - Date.parse(oldest)
          if (waited <= 0) return { passed: true, detail: 'nothing is overdue' }
          const detail = `the oldest has been due for ${Math.ceil(waited / 1000)} seconds`
          const waitsFor = paused()
          if (waitsFor.length > 0) {
            return { passed: true, detail: `${detail}; sending is paused: ${waitsFor.join(', ')}` }
          }
          return { passed: waited <= longestWaitMs, detail }
        },
      },
      {
        name: 'depth',
        severity: 'info',
        hint: 'The queue could not be read.',
        run: async () => {
          const counts = await states()
          const detail = `${sumOf(counts, 'queued')} queued, ${sumOf(counts, 'in_progress')} in progress, ${sumOf(counts, 'waiting')} waiting`
          return { passed: true, detail }
        },
      },
    ],
  }
}

/** While the test line carries every fax: whether a provider is set up that should. */
export function testLineGroups(providers: Pick<ProviderAccess, 'outbound' | 'bypassed'>): Group[] {
  if (providers.outbound().kind !== 'builtin') return []
  const unused = providers.bypassed()
  return [
    {
      name: 'test_line',
      probes: [
        {
          name: 'no_provider_bypassed',
          severity: 'warning',
          hint: testLineSentence(unused?.name ?? 'A provider'),
          setting: 'fax_disabled',
          run: () => ({ passed: unused === undefined }),
        },
      ],
    },
  ]
}

/** Receiving: whether it is on, through whom, and how a received fax proves where it comes from. */
export function inboundGroup(context: GatewayContext, values: SettingsInForce): Group {
  const { providers } = context
  const provider = providers.inbound()
  const { traits, name } = provider
  const enabled: Probe = {
    name: 'enabled',
    severity: 'info',
    hint: 'Receiving is off. Enable inbound to receive faxes.',
    setting: 'inbound_enabled',
    run: () => ({ passed: values.inbound_enabled }),
  }
  const canReceive: Probe = {
    name: 'can_receive',
    severity: 'warning',
    hint: `${name} can’t receive faxes. Choose another inbound provider, or turn receiving off.`,
    setting: 'inbound_backend',
    run: () => ({ passed: traits.supports_inbound }),
  }
  const nothingLeft: Probe = {
    name: 'nothing_left_behind',
    severity: 'warning',
    hint: 'A provider tried to deliver faxes while receiving was off.',
    setting: 'inbound_enabled',
    run: async () => {
      const sentences = await inboundLeftBehind(context)
      return { passed: sentences.length === 0, ...(sentences.length > 0 && { instead: { hint: sentences.join(' ') } }) }
    },
  }
  const receiving = receivesThrough(providers, values)
  return {
    name: 'inbound',
    facts: {
      enabled: values.inbound_enabled,
      backend: provider.id,
      requires_ami: traits.requires_ami,
      needs_storage: traits.supports_inbound,
      inbound_verification: traits.inbound_verification,
    },
    probes: [
      enabled,
      nothingLeft,
      ...(receiving ? [canReceive, ...providerProbes(groundOf(providers, provider, values), 'receiving')] : []),
    ],
  }
}

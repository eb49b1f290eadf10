import { type Line, type OutgoingFax, type Provider, ProviderProblem, type StatusUpdate } from '@faxdeck/provider-kit'
import type { ClockReading } from '../base/providers/clocks.ts'

/** A provider that does what the test reports it, and remembers what it was given. */
export interface MadeLine {
  provider: Provider
  line: Line
  /** Faxes it was handed, in order. */
  handed: OutgoingFax[]
  /** What `send` does next; taking the fax when nothing is said. */
  answers: ((fax: OutgoingFax, signal: AbortSignal) => Promise<StatusUpdate | undefined>)[]
  /** What `status` answers. */
  statuses: Map<string, StatusUpdate>
  /** The fingerprint of its account; null, as for a line without accounts, unless it is set. */
  account: string | null
  /** What is known of its clock. */
  clock?: () => ClockReading | undefined
}

const traits: Provider['traits'] = {
  webhook_path: null,
  sample_payload: null,
  signature_header: null,
  inbound_verification: 'none',
  recommended: false,
  supports_inbound: false,
  supports_oauth: false,
  supports_cancel: false,
  supports_status: true,
  requires_ami: false,
  requires_pages: false,
}

export const providerIdOf = (attemptId: string): string => `made-${attemptId}`

/** Refuses the next fax. */
export const refusing =
  (...reason: ConstructorParameters<typeof ProviderProblem>) =>
  () =>
    Promise.reject(new ProviderProblem(...reason))

/** @param find whether the line can be asked about an attempt of which nobody knows whether it was taken */
export function makeLine({ id = 'made', find = true, requiresPages = false } = {}): MadeLine {
  const handed: OutgoingFax[] = []
  const taken = new Set<string>()
  const answers: MadeLine['answers'] = []
  const statuses = new Map<string, StatusUpdate>()
  const line: Line = {
    send: async (fax, signal) => {
      handed.push(fax)
      const update = await answers.shift()?.(fax, signal)
      taken.add(fax.attemptId)
      return { providerId: providerIdOf(fax.attemptId), ...(update ? { update } : {}) }
    },
    status: async (providerId) => statuses.get(providerId),
    ...(find
      ? {
          find: async (attemptId) =>
            taken.has(attemptId) ? { taken: true, providerId: providerIdOf(attemptId) } : { taken: false },
        }
      : {}),
  }
  const provider: Provider = {
    id,
    name: 'Made line',
    kind: 'cloud',
    traits: { ...traits, requires_pages: requiresPages },
    settings: [],
    missing: () => undefined,
    open: () => line,
    webhooks: [],
    checks: [],
    concurrency: 10,
  }
  return { provider, line, handed, answers, statuses, account: null }
}

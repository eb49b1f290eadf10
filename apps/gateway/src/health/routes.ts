import type { HealthStatus } from '@faxdeck/contract'
import type { Approvals } from '../approvals/create-approvals.ts'
import type { Faxes } from '../faxes/faxes.ts'
import type { Handlers } from '../http/handler.ts'
import type { Inbound } from '../inbound/inbound.ts'
import type { ProviderAccess } from '../providers/access.ts'
import type { Settings } from '../settings/settings.ts'
import { challengeHeader, proofHeader } from './ask-ourselves.ts'
import { configOf } from './config.ts'
import type { Logins } from './logins.ts'
import { measureAtMost } from './measure.ts'

/** What is wrong with sending. */
export interface HealthProblem {
  sentence: string
  /** The provider is well and asked for patience: nothing needs a person. */
  isPause: boolean
}

interface HealthParts {
  settings: Settings
  providers: ProviderAccess
  faxes: Pick<Faxes, 'totals'>
  inbound: Pick<Inbound, 'totals'>
  approvals: Pick<Approvals, 'waiting'>
  problem: () => Promise<HealthProblem | undefined>
  /** The name of a provider that is set up and gets no fax, because the test line carries every one. */
  bypassed: () => string | undefined
  /** Whether a person gave or made a key, beyond the one that is made at the first start. */
  hasKeys: () => Promise<boolean>
  logins: Logins
  /** Answers a challenge of this installation. */
  prove: (challenge: string) => string
  now: () => Date
  version: string
}

const challengeShape = /^[0-9a-f]{32}$/
const freshMs = 500
/** While the database is at work, a look at it takes its time. */
const aheadMs = 250

function createMeasure(parts: HealthParts): () => Promise<HealthStatus> {
  const { settings, providers, faxes, inbound, approvals, hasKeys, now } = parts
  return async () => {
    const [jobs, received, waiting, keys, problem] = await Promise.all([
      faxes.totals(),
      inbound.totals(),
      approvals.waiting(),
      hasKeys(),
      parts.problem(),
    ])
    const values = settings.current()
    return Object.freeze({
      backend: providers.outbound().id,
      backend_healthy: problem === undefined || problem.isPause,
      backend_paused: problem?.isPause ?? false,
      problem: problem?.sentence ?? null,
      jobs: Object.freeze(jobs),
      inbound_enabled: values.inbound_enabled,
      inbound_today: received.today,
      inbound_unread: received.unread,
      approvals_waiting: waiting,
      require_auth: values.require_api_key,
      api_keys_configured: keys,
      timestamp: now().toISOString(),
    })
  }
}

/** Whether the gateway lives, and how it fares. The numbers are those of `timestamp`, at most half a second old. */
export function healthHandlers(parts: HealthParts): Handlers<'health' | 'getConfig' | 'getHealthStatus'> {
  const { settings, providers, bypassed, logins, prove, version } = parts
  const measured = measureAtMost(freshMs, () => performance.now(), createMeasure(parts), aheadMs)
  return {
    health: ({ headers, setHeader }) => {
      const challenge = headers[challengeHeader]
      if (typeof challenge === 'string' && challengeShape.test(challenge)) setHeader(proofHeader, prove(challenge))
      return { status: 'ok' }
    },
    getConfig: async ({ caller }) => {
      await logins.enter(caller)
      return configOf(settings, providers, { version, bypassed: bypassed() ?? null })
    },
    getHealthStatus: ({ caller }) => {
      logins.stay(caller)
      return measured()
    },
  }
}

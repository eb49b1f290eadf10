import type { HealthStatus } from '@faxdeck/contract'
import type { Approvals } from '../approvals/create-approvals.ts'
import type { Faxes } from '../faxes/faxes.ts'
import type { Handlers } from '../http/handler.ts'
import type { Inbound } from '../inbound/inbound.ts'
import type { ProviderAccess } from '../providers/access.ts'
import type { Settings } from '../settings/settings.ts'
import { configOf } from './config.ts'
import type { Logins } from './logins.ts'
import { measureAtMost } from './measure.ts'

interface HealthParts {
  settings: Settings
  providers: ProviderAccess
  faxes: Pick<Faxes, 'totals'>
  inbound: Pick<Inbound, 'totals'>
  approvals: Pick<Approvals, 'waiting'>
  /** What keeps the provider from sending: one sentence, or nothing. */
  outboundProblem: () => string | undefined
  /** Whether a person gave or made a key, beyond the one that is made at the first start. */
  hasKeys: () => Promise<boolean>
  logins: Logins
  now: () => Date
  version: string
}

const freshMs = 500
/** While the database is at work, a look at it takes its time. */
const aheadMs = 250

/** Whether the gateway lives, and how it fares. The numbers are those of `timestamp`, at most half a second old. */
export function healthHandlers(parts: HealthParts): Handlers<'health' | 'getConfig' | 'getHealthStatus'> {
  const { settings, providers, faxes, inbound, approvals, outboundProblem, hasKeys, logins, now, version } = parts
  const measure = async (): Promise<HealthStatus> => {
    const [jobs, received, waiting, keys] = await Promise.all([
      faxes.totals(),
      inbound.totals(),
      approvals.waiting(),
      hasKeys(),
    ])
    const values = settings.current()
    const problem = outboundProblem()
    return Object.freeze({
      backend: providers.outbound().id,
      backend_healthy: problem === undefined,
      problem: problem ?? null,
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
  const measured = measureAtMost(freshMs, () => now().getTime(), measure, aheadMs)
  return {
    health: () => ({ status: 'ok' }),
    getConfig: async ({ caller }) => {
      await logins.enter(caller)
      return configOf(settings, providers, version)
    },
    getHealthStatus: ({ caller }) => {
      logins.stay(caller)
      return measured()
    },
  }
}

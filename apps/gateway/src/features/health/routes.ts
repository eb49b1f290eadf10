import { isShortKey } from '../../access/api-keys/short-key.ts'
import type { HealthStatus } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import { readTotals } from '../../fax/move/counts.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { countInbound } from '../../inbox/inbound/overview.ts'
import { challengeHeader, proofHeader } from '../../base/outgoing/ask-ourselves.ts'
import { configOf } from './config.ts'
import { readCleaning } from '../../paper/retention/cleaning-state.ts'
import { createLogins } from './logins.ts'
import { measureWithLimit } from '../../base/measure.ts'
import type { HealthProblem } from './problem.ts'

export interface MeasureParts {
  problem: () => Promise<HealthProblem | undefined>
  /** Whether a person gave or made a key, beyond the one that is made at the first start. */
  hasKeys: () => Promise<boolean>
  countWaitingApprovals: () => Promise<number>
}

const challengeShape = /^[0-9a-f]{32}$/
const freshMs = 500
/** While the database is at work, a look at it takes its time. */
const aheadMs = 250

function createMeasure(
  context: GatewayContext,
  { hasKeys, problem: readProblem, countWaitingApprovals }: MeasureParts,
) {
  const { database, settings, providers, now } = context
  return async (): Promise<HealthStatus> => {
    const [jobs, received, waiting, keys, problem, cleaning] = await Promise.all([
      readTotals(database, now()),
      countInbound(context),
      countWaitingApprovals(),
      hasKeys(),
      readProblem(),
      readCleaning(database.db),
    ])
    const values = settings.current()
    return {
      backend: providers.outbound().id,
      backend_healthy: problem === undefined || problem.isPause,
      backend_paused: problem?.isPause ?? false,
      problem: problem?.sentence ?? null,
      jobs,
      inbound_enabled: values.inbound_enabled,
      inbound_today: received.today,
      inbound_unread: received.unread,
      approvals_waiting: waiting,
      deletions_announced: cleaning.announced,
      require_auth: values.require_api_key,
      api_keys_configured: keys,
      weak_bootstrap_key: isShortKey(values.api_key),
      timestamp: now().toISOString(),
    }
  }
}

/** How the gateway fares, measured for everybody who asks. The numbers are those of `timestamp`, at most half a second old. */
export const createHealthStatus = (context: GatewayContext, parts: MeasureParts) =>
  measureWithLimit(freshMs, () => performance.now(), createMeasure(context, parts), aheadMs)

interface HealthParts {
  status: () => HealthStatus | Promise<HealthStatus>
  version: string
}

/** Whether the gateway lives, and how it fares. */
export function healthHandlers(context: GatewayContext, { status, version }: HealthParts) {
  const { prove } = context.settings.seals
  const logins = createLogins(context)
  return {
    health: ({ headers, setHeader }) => {
      const challenge = headers[challengeHeader]
      if (typeof challenge === 'string' && challengeShape.test(challenge)) setHeader(proofHeader, prove(challenge))
      return { status: 'ok' }
    },
    getConfig: async ({ caller }) => {
      await logins.enter(caller)
      return configOf(context, version)
    },
    getHealthStatus: ({ caller }) => {
      logins.stay(caller)
      return status()
    },
  } satisfies Partial<Handlers>
}

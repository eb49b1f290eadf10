import { readLastBackup } from '../../base/backups/last-backup.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { providersWith } from '../../base/providers/access.ts'
import { pausedProviders } from '../../base/providers/describe-pause.ts'
import { activityHandlers, type ActivityParts } from './activity.ts'
import { createOwnQuestion, challengeHeader, proofHeader } from '../../base/outgoing/ask-ourselves.ts'
import { createLastRefusal, findProblem, type HealthProblem } from './problem.ts'
import { serveReadiness } from './ready.ts'
import { isShortKey } from '../../access/api-keys/short-key.ts'
import type { HealthStatus } from '@faxdeck/contract'
import { readTotals } from '../../fax/move/counts.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { countJobs } from '../../fax/read/job-filter.ts'
import { countInbound } from '../../inbox/inbound/overview.ts'
import { configOf } from './config.ts'
import { readCleaning } from '../../paper/retention/rules.ts'
import { createLogins } from './logins.ts'
import { measureWithLimit } from '../../base/measure.ts'

interface MeasureParts {
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
  const { database, directory, settings, providers, now } = context
  return async (): Promise<HealthStatus> => {
    const [totals, unresolved, received, waiting, keys, problem, cleaning] = await Promise.all([
      readTotals(database, now(), pausedProviders(context)),
      countJobs(database.db, { status: 'unresolved' }),
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
      jobs: { ...totals, unresolved: unresolved.total },
      inbound_enabled: values.inbound_enabled,
      inbound_today: received.today,
      inbound_unread: received.unread,
      approvals_waiting: waiting,
      deletions_announced: cleaning.announced,
      ...(database.engine === 'sqlite' && { last_backup_at: readLastBackup(directory)?.made_at ?? null }),
      require_auth: values.require_api_key,
      api_keys_configured: keys,
      weak_bootstrap_key: isShortKey(values.api_key),
      timestamp: now().toISOString(),
    }
  }
}

/** How the gateway fares, measured for everybody who asks. The numbers are those of `timestamp`, at most half a second old. */
const createHealthStatus = (context: GatewayContext, parts: MeasureParts) =>
  measureWithLimit(freshMs, () => performance.now(), createMeasure(context, parts), aheadMs)

interface HealthParts {
  status: () => HealthStatus | Promise<HealthStatus>
  version: string
}

/** Whether the gateway lives, and how it fares. */
function healthHandlers(context: GatewayContext, { status, version }: HealthParts) {
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

interface HealthOptions extends Omit<MeasureParts & ActivityParts, 'problem'> {
  version: string
}

/** Says how the gateway is, to monitors and on the dashboard. */
export function createHealth(context: GatewayContext, more: HealthOptions) {
  const { settings, providers } = context
  const refusal = createLastRefusal(context)
  settings.onChange(({ keys }) => providersWith(providers, keys).forEach(({ id }) => refusal.forget(id)))
  const problem = () => findProblem(context, refusal)
  const { ask, close } = createOwnQuestion(settings.seals.prove)
  const status = createHealthStatus(context, { ...more, problem })
  return {
    name: 'health',
    routes: { ...healthHandlers(context, { ...more, status }), ...activityHandlers(context, { ...more, problem }) },
    serve: ({ app }) => serveReadiness(app, context),
    close,
    /** The answer of the call, at most half a second old. */
    status,
    /** Whether a provider refused the credentials of its last fax. */
    refusal,
    /** Asks whether this gateway answers under its public address. */
    askOurselves: ask,
  } satisfies Feature & Record<string, unknown>
}

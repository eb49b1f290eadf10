import type { Activity, ActivityRange, JobSummary } from '@faxdeck/contract'
import type { FakeCalls } from '../fake-calls.ts'
import { isUnresolved } from '../lines/fake-copies.ts'
import { instantOf, isWaiting, type World } from '../world.ts'
import { registryOf } from './fake-providers.ts'

const hour = 3_600_000

const shapes = {
  '1h': { length: 300_000, count: 12 },
  '24h': { length: hour, count: 24 },
  '7d': { length: 6 * hour, count: 28 },
  '30d': { length: 24 * hour, count: 30 },
} as const

function historyOf(world: World, range: ActivityRange): Omit<Activity, 'attention'> {
  const { length, count } = shapes[range]
  const took = world.jobs
    .filter(({ job }) => job.status === 'SUCCESS')
    .map(({ job }) => (Date.parse(job.updated_at) - Date.parse(job.created_at)) / 1000)
    .toSorted((a, b) => a - b)
  const median = took[Math.floor(took.length / 2)] ?? null
  return { hours: hoursOf(world, length, count), slot_minutes: length / 60_000, median_seconds: median }
}

function hoursOf(world: World, length: number, count: number): Activity['hours'] {
  const step = Math.min(length, hour)
  const end = Math.floor(world.now() / step) * step + step
  return Array.from({ length: count }, (_, index) => {
    const from = end - (count - index) * length
    const within = (at: string) => Date.parse(at) >= from && Date.parse(at) < from + length
    const ended = world.jobs.filter(({ job }) => within(job.updated_at))
    return {
      hour: instantOf(from),
      delivered: ended.filter(({ job }) => job.status === 'SUCCESS').length,
      failed: ended.filter(({ job }) => job.status === 'FAILED').length,
      received: world.inbound.filter((fax) => within(fax.received_at)).length,
    }
  })
}

/** Why the dashboard is not healthy; the gateway says the same on every part of it. */
const problemOf = ({ problem }: World): string | null => problem ?? null

const kindOf = ({ needs_attention: needsPerson, status }: JobSummary) => {
  if (!needsPerson) return 'failed' as const
  if (status === 'FAILED') return 'partial' as const
  return status === 'SUCCESS' ? ('duplicate' as const) : ('uncertain' as const)
}

/** Of something that needs attention, and is about no fax. */
const nobody = { job_id: null, to_number: null, inbound_id: null, from_number: null, count: 1 }

function attentionOf(world: World): Activity['attention'] {
  const day = instantOf(world.now() - 24 * hour)
  const jobs = world.jobs
    .filter(({ job }) => isUnresolved(world, job) && (job.needs_attention || job.updated_at > day))
    .map(({ job }) => ({
      ...nobody,
      kind: kindOf(job),
      job_id: job.id,
      to_number: job.to_number,
      sentence: job.error ?? '',
      at: job.updated_at,
    }))
  const received = world.inbound
    .filter((fax) => fax.needs_attention || (fax.status === 'failed' && fax.updated_at > day))
    .map((fax) => ({
      ...nobody,
      kind: fax.needs_attention ? ('unclear' as const) : ('failed' as const),
      inbound_id: fax.id,
      from_number: fax.fr,
      sentence: fax.concern ?? fax.error ?? '',
      at: fax.updated_at,
    }))
  const held = world.jobs.flatMap(({ job }) => job.held ?? [])
  const [first] = held
  const faxes = held.length === 1 ? '1 fax has' : `${held.length} faxes have`
  const sentence = `${faxes} been held since the database was restored from a backup. Compare with the provider, then release or cancel.`
  const waiting = first ? [{ ...nobody, kind: 'held' as const, sentence, at: first.since }] : []
  const others = [...jobs, ...received].sort((a, b) => b.kind.localeCompare(a.kind) || b.at.localeCompare(a.at))
  const sentenceNow = problemOf(world)
  const unhealthy = sentenceNow
    ? [{ ...nobody, kind: 'unhealthy' as const, sentence: sentenceNow, at: instantOf(world.now()) }]
    : []
  const stopped = world.webhooks.flatMap(({ webhook }) => {
    const { url, description, disabled_reason: reason, failing_since: since } = webhook
    if (webhook.enabled || reason === null || since === null) return []
    const sentence = `The webhook “${description ?? new URL(url).host}” is off. ${reason}`
    return [{ ...nobody, kind: 'webhook' as const, sentence, at: since }]
  })
  return [...unhealthy, ...waiting, ...others, ...stopped].slice(0, 20)
}

const midnightOf = (now: number) => new Date(now).setHours(0, 0, 0, 0)

export function overviewCalls(world: World) {
  const count = (test: (fake: World['jobs'][number]) => boolean) => world.jobs.filter(test).length
  const received = () => world.inbound.filter((fax) => fax.status === 'received')
  const day = () => instantOf(world.now() - 24 * hour)
  return {
    health: () => ({ status: 'ok' }),
    getConfig: () => world.config,
    getHealthStatus: () => ({
      backend: world.config.backend,
      backend_healthy: problemOf(world) === null,
      backend_paused: false,
      problem: problemOf(world),
      jobs: {
        queued: count(({ job }) => job.status === 'queued'),
        in_progress: count(({ job }) => job.status === 'in_progress' && !isWaiting(job)),
        waiting: count(({ job }) => isWaiting(job)),
        recent_failures: count(({ job }) => job.status === 'FAILED' && job.updated_at > day()),
        attention: count(({ job }) => job.needs_attention),
        held: count(({ job }) => job.held !== null),
        unresolved: count(({ job }) => isUnresolved(world, job)),
      },
      inbound_enabled: true,
      inbound_today: received().filter((fax) => Date.parse(fax.received_at) >= midnightOf(world.now())).length,
      inbound_unread: received().filter((fax) => !fax.read_at).length,
      deletions_announced: world.care?.cleaning?.announced ?? 0,
      approvals_waiting: world.approvals.filter(({ state }) => state === 'waiting').length,
      last_backup_at: world.backedUpAt ?? null,
      require_auth: world.config.require_api_key,
      api_keys_configured: world.keys.length > 0,
      weak_bootstrap_key: false,
      timestamp: instantOf(world.now()),
    }),
    listProviders: () => ({
      schema_version: 1,
      active: world.config.hybrid,
      registry: registryOf(world),
    }),
    getActivity: ({ query }) => ({ ...historyOf(world, query.range ?? '24h'), attention: attentionOf(world) }),
  } satisfies FakeCalls
}

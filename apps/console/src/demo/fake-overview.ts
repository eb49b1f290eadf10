import type { Activity } from '@faxdeck/contract'
import type { FakeCalls } from '../demo/fake-calls.ts'
import { registryOf } from './fake-providers.ts'
import { instantOf, type World } from '../demo/world.ts'

const hour = 3_600_000

function hoursOf(world: World): Activity['hours'] {
  const last = Math.floor(world.now() / hour) * hour
  return Array.from({ length: 24 }, (_, index) => {
    const from = last - (23 - index) * hour
    const within = (at: string) => Date.parse(at) >= from && Date.parse(at) < from + hour
    const ended = world.jobs.filter(({ job }) => within(job.updated_at))
    return {
      hour: instantOf(from),
      delivered: ended.filter(({ job }) => job.status === 'SUCCESS').length,
      failed: ended.filter(({ job }) => job.status === 'FAILED').length,
      received: world.inbound.filter((fax) => within(fax.received_at)).length,
    }
  })
}

function attentionOf(world: World): Activity['attention'] {
  const day = instantOf(world.now() - 24 * hour)
  const jobs = world.jobs
    .filter(({ job }) => job.needs_attention || (job.status === 'FAILED' && job.updated_at > day))
    .map(({ job }) => ({
      kind: job.needs_attention ? ('uncertain' as const) : ('failed' as const),
      job_id: job.id,
      to_number: job.to_number,
      inbound_id: null,
      from_number: null,
      sentence: job.error ?? '',
      at: job.updated_at,
    }))
  const received = world.inbound
    .filter((fax) => fax.status === 'failed' && fax.updated_at > day)
    .map((fax) => ({
      kind: 'failed' as const,
      job_id: null,
      to_number: null,
      inbound_id: fax.id,
      from_number: fax.fr,
      sentence: fax.error ?? '',
      at: fax.updated_at,
    }))
  return [...jobs, ...received].sort((a, b) => b.kind.localeCompare(a.kind) || b.at.localeCompare(a.at)).slice(0, 5)
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
      backend_healthy: true,
      problem: null,
      jobs: {
        queued: count(({ job }) => job.status === 'queued'),
        in_progress: count(({ job }) => job.status === 'in_progress'),
        recent_failures: count(({ job }) => job.status === 'FAILED' && job.updated_at > day()),
        attention: count(({ job }) => job.needs_attention),
      },
      inbound_enabled: true,
      inbound_today: received().filter((fax) => Date.parse(fax.received_at) >= midnightOf(world.now())).length,
      inbound_unread: received().filter((fax) => !fax.read_at).length,
      approvals_waiting: world.approvals.filter(({ state }) => state === 'waiting').length,
      require_auth: world.config.require_api_key,
      api_keys_configured: world.keys.length > 0,
      timestamp: instantOf(world.now()),
    }),
    listProviders: () => ({
      schema_version: 1,
      active: world.config.hybrid,
      registry: registryOf(world),
    }),
    getActivity: () => ({ hours: hoursOf(world), attention: attentionOf(world) }),
  } satisfies FakeCalls
}

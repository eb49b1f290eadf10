import type { HealthStatus, Job, Report } from '@faxdeck/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { demoWorld } from './demo-world.ts'
import { fakeGateway } from './fake-gateway.ts'
import { isUnresolved } from './lines/fake-copies.ts'
import { isWaiting } from './world.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const asked = async (world: ReturnType<typeof demoWorld>, path: string): Promise<unknown> => {
  const address = new URL(path, 'http://console.test')
  return fakeGateway(world)({ method: 'GET', address, key: null, body: undefined }).json()
}

describe('the clinic of the demo', () => {
  // At night, in office hours and at a weekend: what is shown does not depend on when somebody looks.
  it.each(['2026-11-27T03:10:00', '2026-11-27T15:30:00', '2026-11-29T11:00:00'])(
    'has people, groups, providers and every state of a fax at %s',
    async (now) => {
      vi.setSystemTime(new Date(now))
      const world = demoWorld()
      expect(world.people.map(({ role }) => role)).toEqual(['administrator', 'operator', 'member', 'sender', 'auditor'])
      expect(world.groups.map(({ members }) => members.length)).toEqual([2, 1])
      const jobs = world.jobs.map(({ job }) => job)
      expect(new Set(jobs.map(({ backend }) => backend))).toEqual(new Set(['trunk', 'sinch', 'phaxio']))
      const states: Record<string, (job: Job) => boolean> = {
        delivered: ({ status, test }) => status === 'SUCCESS' && !test,
        busy: ({ status, error_kind: kind }) => status === 'FAILED' && kind === 'busy',
        'wrong number': ({ error_kind: kind }) => kind === 'bad_number',
        partial: ({ error_kind: kind, needs_attention: needsPerson }) => kind === 'partial' && needsPerson,
        unconfirmed: ({ error_kind: kind, needs_attention: needsPerson }) => kind === 'uncertain' && needsPerson,
        resent: ({ parent_id: parent, status }) => parent !== null && status === 'SUCCESS',
        waiting: isWaiting,
        held: ({ held }) => held !== null,
        canceled: ({ error_kind: kind }) => kind === 'cancelled',
      }
      expect(Object.keys(states).filter((state) => !jobs.some((job) => states[state]?.(job)))).toEqual([])
      expect(jobs.filter((job) => isUnresolved(world, job)).length).toBeLessThan(8)
    },
  )

  it('counts the month by the people who sent, groups and providers, and names nobody Bootstrap', async () => {
    const world = demoWorld()
    const dayOf = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    const report = (await asked(world, `/admin/reports?from=${dayOf(29)}&to=${dayOf(0)}`)) as Report
    expect(report.totals.sent).toBeGreaterThan(150)
    expect(report.senders.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Ruth Alvarez', 'Jordan Okafor', 'Mei Tanaka']),
    )
    expect(report.senders.map(({ key_id }) => key_id)).not.toContain('bootstrap')
    expect(report.providers.map(({ backend }) => backend).toSorted()).toEqual(['phaxio', 'sinch', 'trunk'])
    expect(report.groups.every(({ name, received }) => name === null || received > 0)).toBe(true)
  })

  it('lets the counts of the dashboard agree with the lists that they lead to', async () => {
    const world = demoWorld()
    const { jobs } = (await asked(world, '/admin/health-status')) as HealthStatus
    const { total } = (await asked(world, '/admin/fax-jobs?status=unresolved')) as { total: number }
    expect(jobs.unresolved).toBe(total)
  })

  it('finds a received fax by a word on its page alone, and says who opened it', async () => {
    const world = demoWorld()
    const { faxes } = (await asked(world, '/admin/search?q=potassium')) as {
      faxes: { id: string; direction: string }[]
    }
    expect(faxes.length).toBeGreaterThan(0)
    expect(faxes.length).toBeLessThan(world.inbound.length)
    const [opened] = world.openings
    const { views } = (await asked(world, `/admin/faxes/${opened?.fax_id}/views`)) as { views: { name: string }[] }
    expect(views.map(({ name }) => name)).toEqual(expect.arrayContaining(['Jordan Okafor', 'Ruth Alvarez']))
  })
})

import { describe, expect, it } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { deskStart, faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { listJobs } from '../read/list.ts'
import { readTotals } from './counts.ts'
import { countedStates, countStates, sumOf } from './job-states.ts'
import { holdUnfinished } from './hold-unfinished.ts'

onEachDatabase((open) => {
  it('held faxes are counted and listed as held, and in no other state', async () => {
    const database = await open()
    const { context, submit } = await faxDesk(database, makeLine())
    await submit()
    await submit({ to_number: '+15555550199' })
    await holdUnfinished(context, new Date(deskStart))
    await submit({ to_number: '+15555550198' })
    const counts = await countStates(database.db)
    const totals = await readTotals(database, context.now())
    expect(totals).toMatchObject({ queued: 1, in_progress: 0, held: 2, attention: 2 })
    for (const status of ['queued', 'held'] as const) {
      const { jobs, total } = await listJobs(database, { status, limit: 9, sort: 'created' }, (rows) => rows as never)
      expect([status, total, jobs.length]).toEqual([status, sumOf(counts, status), totals[status]])
    }
    const all = await listJobs(database, { limit: 9, sort: 'pages' }, (rows) => rows as never)
    expect([all.total, all.jobs.length]).toEqual([3, 3])
  })
})

describe('how many faxes stand in each state', () => {
  it('is the same on the dashboard, in the lists, in the metrics, in the diagnostics and in the queue report', async () => {
    const { app, client } = await startGateway({ env: { ENABLE_ADMIN_EXEC: 'true' } })
    const send = (to: string) => client.submitFax({ form: { to, file: new File(['Results'], 'letter.txt') } })
    const until = async (
      id: string,
      reached: (job: { status: string; error_kind: string | null; needs_attention: boolean }) => boolean,
    ) => expect.poll(async () => reached(await client.getJob({ params: { id } })), { timeout: 15_000 }).toBe(true)
    // One delivered, one failed, one uncertain, and one that waits for its next try.
    const delivered = await send('+15555550123')
    const failed = await send('+15555550102')
    const uncertain = await send('+15555550106')
    const busy = await send('+15555550100')
    await until(delivered.id, ({ status }) => status === 'SUCCESS')
    await until(failed.id, ({ status }) => status === 'FAILED')
    await until(uncertain.id, ({ needs_attention }) => needs_attention)
    await until(busy.id, ({ error_kind }) => error_kind === 'busy')
    const { jobs } = await client.getHealthStatus({})
    const listed = Object.fromEntries(
      await Promise.all(
        countedStates.map(async (status) => [status, (await client.listJobs({ query: { status } })).total] as const),
      ),
    )
    expect(listed).toMatchObject({
      queued: jobs.queued,
      in_progress: jobs.in_progress,
      waiting: jobs.waiting,
      held: jobs.held,
      SUCCESS: 1,
      FAILED: 1,
    })
    expect((listed.attention ?? 0) + jobs.held).toBe(jobs.attention)
    const metrics = await app.inject({ url: '/metrics', headers: { host: 'localhost' }, remoteAddress: '127.0.0.1' })
    const { stdout } = await client.runAction({ body: { id: 'queue_report' } })
    const { findings } = await client.runDiagnostics({})
    const detail = findings.find(({ group, check }) => group === 'queue' && check === 'depth')?.detail
    expect(detail).toBe(`${jobs.queued} queued, ${jobs.in_progress} in progress, ${jobs.waiting} waiting`)
    expect(jobs).toMatchObject({ in_progress: 1, waiting: 1 })
    for (const [state, total] of Object.entries(listed)) {
      const measured = new RegExp(`^faxdeck_jobs\\{backend="testline",status="${state}"\\} (\\d+)$`, 'm').exec(
        metrics.body,
      )
      const reported = new RegExp(`^testline +${state} +(\\d+)$`, 'm').exec(stdout)
      expect([state, Number(measured?.[1] ?? 0), Number(reported?.[1] ?? 0)]).toEqual([state, total, total])
    }
  })
})

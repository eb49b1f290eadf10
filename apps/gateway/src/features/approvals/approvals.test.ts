import { CallProblem } from '@faxdeck/contract'
import { describe, expect, it, vi } from 'vitest'
import { noGroup } from '../../access/groups/group-of.ts'
import type { Database } from '../../base/db/database.ts'
import { type Submission, submitFax } from '../../fax/accept/submit.ts'
import { readTotals } from '../../fax/move/counts.ts'
import { presentHold } from '../../fax/move/hold.ts'
import { releaseFax } from '../../fax/move/release.ts'
import { sealsOf } from '../../base/settings/seal.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { deskStart, faxDesk } from '../../testing/fax-desk.ts'
import { fixedSettings } from '../../testing/test-context.ts'
import { makeLine } from '../../testing/made-line.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { holdIn } from '../../upkeep/hold.ts'
import { approveFax, refuseFax } from './decide.ts'
import type { GatewayContext } from '../../base/context.ts'
import { expireApprovals } from './expire.ts'
import { requestFax } from './request.ts'
import { requireApproval } from './store.ts'

const minute = 60_000
const day = 24 * 60 * minute
const order: Submission = {
  to: '+15555550123',
  tones: 'auto',
  cover: {},
  group: noGroup,
  file: { fileName: 'letter.txt', bytes: Buffer.from('Dear colleague,\nplease find the results below.\n') },
  callerKeyId: 'assistant',
  idempotencyKey: 'order-1',
}

/** Approves without a key. */
const approve = async (context: GatewayContext, id: string, callerKeyId: string) =>
  (await approveFax(context, id, { callerKeyId, idempotencyKey: undefined })).fax

async function desk(database: Database) {
  const made = makeLine()
  const { context: base, pass, work } = await faxDesk(database, made)
  const rules = { require_mcp_quote: false, require_mcp_approval: true }
  const current = () => ({ ...base.settings.current(), ...rules })
  const seals = sealsOf(Buffer.alloc(32, 7))
  const context: GatewayContext = { ...base, settings: fixedSettings({}, { current, seals }) }
  const ask = async (change: Partial<Submission> = {}) => {
    const { approval } = await requestFax(context, { ...order, ...change }, undefined)
    return approval?.id ?? ''
  }
  const jobs = () => database.db.selectFrom('fax_jobs').selectAll().execute()
  const kept = async (id: string) => {
    const { draft } = await requireApproval(database.db, id)
    return context.storage.exists((JSON.parse(draft) as { document_key: string }).document_key)
  }
  const another = (database: Database): GatewayContext => ({ ...context, database })
  return { context, another, ask, jobs, kept, pass, work, made, rules }
}

onEachDatabase((open, another) => {
  describe('a fax that waits for a person', () => {
    it('is one fax when many approve at once, also from two processes', async () => {
      const database = await open()
      const { context, ask, jobs } = await desk(database)
      const id = await ask()
      const second = { ...context, database: await another(database) }
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => approve(n % 2 ? context : second, id, `person-${n}`)),
      )
      const [job, ...more] = await jobs()
      expect(more).toEqual([])
      expect(new Set(answers.map(({ job_id }) => job_id))).toEqual(new Set([job?.id]))
      expect(new Set(answers.map(({ decided_by }) => decided_by)).size).toBe(1)
      expect(job).toMatchObject({ caller_key_id: 'assistant', to_number: '+15555550123', phase: 'queued' })
    })

    it('is there whole or not at all when approving is cut short, and can be approved again', async () => {
      const { context, ask, jobs } = await desk(await open())
      const id = await ask()
      vi.spyOn(context.events, 'approvalGranted').mockRejectedValueOnce(new Error('The power fails here.'))
      await expect(approve(context, id, 'person')).rejects.toThrow('The power fails here.')
      expect(await jobs()).toEqual([])
      expect(await approve(context, id, 'person')).toMatchObject({ state: 'approved' })
      expect(await jobs()).toHaveLength(1)
    })

    it('is asked for once however often the request is repeated', async () => {
      const { context, ask } = await desk(await open())
      const ids = await Promise.all(Array.from({ length: 10 }, () => ask()))
      expect(new Set(ids).size).toBe(1)
      await expect(ask({ to: '+15555550199' })).rejects.toMatchObject({ code: 'idempotency_conflict' })
      const { count } = await context.database.db
        .selectFrom('fax_approvals')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      expect(Number(count)).toBe(1)
    })

    it('goes out with its document, which belongs to the fax from then on', async () => {
      const { context, ask, jobs, work, made, pass } = await desk(await open())
      const id = await ask()
      await approve(context, id, 'person')
      await work()
      expect(made.handed).toHaveLength(1)
      pass(31 * day)
      await expireApprovals(context)
      await expect(requireApproval(context.database.db, id)).rejects.toMatchObject({ code: 'approval_not_found' })
      const [job] = await jobs()
      expect(await context.storage.exists(job?.document_key ?? '')).toBe(true)
    })

    it('becomes a held fax when the database was restored since, and goes out once it is released', async () => {
      const { context, ask, jobs, work, made } = await desk(await open())
      const id = await ask()
      await holdIn(context.database, new Date(deskStart - minute), context.now)
      await approve(context, id, 'person')
      expect(await work()).toBe(false)
      const [job] = await jobs()
      expect(job && presentHold(job)).toMatchObject({ as_of: new Date(deskStart - minute).toISOString(), found: [] })
      expect(await readTotals(context.database, context.now())).toMatchObject({ held: 1, attention: 1, queued: 0 })
      await releaseFax(context, job?.id ?? '', 'person')
      await work()
      expect(made.handed).toHaveLength(1)
      expect(await readTotals(context.database, context.now())).toMatchObject({ held: 0, attention: 0, queued: 0 })
    })

    it('ends with its document when it is refused, and cannot be approved any more', async () => {
      const { context, ask, jobs, kept } = await desk(await open())
      const id = await ask()
      expect(await kept(id)).toBe(true)
      expect(await refuseFax(context, id, 'person')).toMatchObject({ state: 'refused', decided_by: 'person' })
      expect(await refuseFax(context, id, 'another')).toMatchObject({ decided_by: 'person' })
      expect(await kept(id)).toBe(false)
      await expect(approve(context, id, 'person')).rejects.toMatchObject({ code: 'conflict' })
      expect(await jobs()).toEqual([])
    })

    it('keeps the words of its cover page only for the fax that it becomes', async () => {
      const { context, ask, jobs } = await desk(await open())
      const draft = async (id: string) => (await requireApproval(context.database.db, id)).draft
      const cover = { cover: 'plain', cover_note: 'Please call back.' } as const
      const [approved, refused] = [await ask({ cover }), await ask({ cover, idempotencyKey: 'order-2' })]
      expect(await draft(refused)).toContain('Please call back.')
      await approve(context, approved, 'person')
      await refuseFax(context, refused, 'person')
      expect([await draft(approved), await draft(refused)].join()).not.toContain('call back')
      expect(await jobs()).toMatchObject([{ pages: 2, cover: expect.stringContaining('Please call back.') as unknown }])
    })

    it('expires after a day without a decision, and its key is free again', async () => {
      const { context, ask, jobs, kept, pass } = await desk(await open())
      const id = await ask()
      pass(day + 1)
      await expect(approve(context, id, 'person')).rejects.toMatchObject({ code: 'conflict', message: /expired/ })
      await expireApprovals(context)
      expect(await requireApproval(context.database.db, id)).toMatchObject({ state: 'expired', document_key: null })
      expect(await kept(id)).toBe(false)
      expect(await context.events.list({ event: 'approval_expired', limit: 10 })).toMatchObject([{ approval: id }])
      expect(await ask()).not.toBe(id)
      expect(await jobs()).toEqual([])
    })

    it('is not sent twice when the same fax went out without asking meanwhile', async () => {
      const { context, ask, jobs, kept, rules } = await desk(await open())
      const id = await ask()
      const { job } = await submitFax(context, order)
      expect(await approve(context, id, 'person')).toMatchObject({ state: 'approved', job_id: job.id })
      expect(await jobs()).toHaveLength(1)
      expect(await kept(id)).toBe(false)
      rules.require_mcp_approval = false
      expect(await requestFax(context, order, undefined)).toMatchObject({ fax: { id: job.id } })
    })

    it('goes on waiting while the provider is not set up', async () => {
      const { context, ask } = await desk(await open())
      const id = await ask()
      const providers = { ...context.providers, outbound: () => ({ id: 'nobody' }) as never }
      await expect(approve({ ...context, providers }, id, 'person')).rejects.toMatchObject({
        code: 'provider_not_configured',
      })
      expect(await requireApproval(context.database.db, id)).toMatchObject({ state: 'waiting', decided_by: null })
    })

    it('has at most fifty of one caller beside it', async () => {
      const { ask } = await desk(await open())
      for (let n = 0; n < 50; n++) await ask({ idempotencyKey: `many-${n}` })
      await expect(ask({ idempotencyKey: 'one-more' })).rejects.toMatchObject({
        code: 'conflict',
        message: /waiting for approval/,
      })
      await ask({ callerKeyId: 'another' })
    }, 60_000)
  })

  describe('the same fax, asked for without a key', () => {
    const unnamed: Submission = { ...order, idempotencyKey: undefined }
    const sending = async (database: Database) => {
      const made = await desk(database)
      made.rules.require_mcp_approval = false
      const send = async (change: Partial<Submission> = {}, context = made.context) => {
        const { fax, replayed } = await requestFax(context, { ...unnamed, ...change }, undefined)
        return { id: fax?.id, replayed }
      }
      return { ...made, send }
    }

    it('is one fax for ten minutes after it was accepted, whenever they begin', async () => {
      const { send, pass, jobs } = await sending(await open())
      pass(9 * minute + 59_000)
      const first = await send()
      expect(first.replayed).toBe(false)
      pass(10 * minute - 1)
      expect(await send()).toEqual({ id: first.id, replayed: true })
      pass(2)
      const second = await send()
      expect(second.replayed).toBe(false)
      expect(second.id).not.toBe(first.id)
      expect(await send()).toEqual({ id: second.id, replayed: true })
      expect(await jobs()).toHaveLength(2)
    })

    it('is one fax when it is asked for many times at once, also from two processes, and after the ten minutes', async () => {
      const database = await open()
      const { context, another: deskOf, send, pass, jobs } = await sending(database)
      const second = deskOf(await another(database))
      for (const count of [1, 2]) {
        const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => send({}, n % 2 ? context : second)))
        expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
        expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
        expect(await jobs()).toHaveLength(count)
        pass(11 * minute)
      }
    })

    it('is another fax for another caller, number, document or look, and under a key', async () => {
      const { send, jobs } = await sending(await open())
      const changes: Partial<Submission>[] = [
        {},
        { callerKeyId: 'another' },
        { to: '+15555550199' },
        { tones: 'photo' },
        { cover: { cover: 'plain' } },
        { file: { fileName: 'letter.txt', bytes: Buffer.from('Another letter.') } },
        { idempotencyKey: 'on purpose' },
      ]
      for (const change of changes) expect(await send(change)).toMatchObject({ replayed: false })
      expect(await jobs()).toHaveLength(changes.length)
      expect(await send({ to: '+1 (555) 555-0123' })).toMatchObject({ replayed: true })
      await expect(send({ idempotencyKey: 'same-fax:0' })).rejects.toMatchObject({ code: 'bad_request' })
    })

    it('is reported as a repeat, also in the audit trail', async () => {
      const { context, send, rules } = await sending(await open())
      const { id } = await send()
      const repeats = () => context.events.list({ event: 'request_repeated', limit: 10 })
      expect(await repeats()).toEqual([])
      await send()
      expect(await repeats()).toMatchObject([{ key_id: 'assistant', job_id: id }])
      rules.require_mcp_approval = true
      expect(await send()).toEqual({ id, replayed: true })
    })

    it('is one request for as long as it waits for a person, and its fax for ten minutes more', async () => {
      const { context, pass, jobs } = await desk(await open())
      const request = () => requestFax(context, unnamed, undefined)
      const first = await request()
      const id = first.approval?.id ?? ''
      expect(first.replayed).toBe(false)
      pass(60 * minute)
      expect(await request()).toMatchObject({ approval: { id }, replayed: true })
      const { job_id } = await approve(context, id, 'person')
      pass(9 * minute)
      expect(await request()).toMatchObject({ fax: { id: job_id }, replayed: true })
      pass(2 * minute)
      const next = await request()
      expect(next).toMatchObject({ approval: { state: 'waiting' }, fax: null, replayed: false })
      await refuseFax(context, next.approval?.id ?? '', 'person')
      expect(await request()).toMatchObject({ approval: { state: 'refused' }, replayed: true })
      pass(11 * minute)
      expect(await request()).toMatchObject({ approval: { state: 'waiting' }, replayed: false })
      expect(await jobs()).toHaveLength(1)
    })
  })
})

const refused = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof CallProblem ? error.status : error
}

describe('the calls about requests', () => {
  it('survive a restart, show the pages, and keep to their asker', async () => {
    const env = { REQUIRE_MCP_APPROVAL: 'true' }
    const gateway = await startGateway({ env })
    const file = new File(['Page one.\fPage two.'], 'two.txt', { type: 'text/plain' })
    const { approval } = await gateway.client.requestFax({ form: { to: '+15555550123', file } })
    const params = { id: approval?.id ?? '' }
    await gateway.stop()
    const { client } = await startGateway({ env, directory: gateway.directory })
    expect(await client.listApprovals({ query: {} })).toMatchObject([{ ...params, pages: 2, faxed_before: 0 }])
    const page = await client.getApprovalPage({ params: { ...params, page: 2 }, query: { width: 200 } })
    expect(
      Buffer.from(await page.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    expect(await refused(client.getApprovalPage({ params: { ...params, page: 3 }, query: {} }))).toBe(404)
    const { token } = await client.createApiKey({ body: { scopes: ['fax:read'] } })
    const headers = { 'x-api-key': token }
    expect(await refused(client.getFaxRequest({ params }, { headers }))).toBe(404)
    expect(await refused(client.listApprovals({ query: {} }, { headers }))).toBe(403)
    expect(await client.getFaxRequest({ params })).toMatchObject({ approval: { state: 'waiting' }, fax: null })
    await client.refuseFax({ params })
    expect(await refused(client.getApprovalPage({ params: { ...params, page: 1 }, query: {} }))).toBe(404)
    expect(await client.listApprovals({ query: { state: 'decided' } })).toMatchObject([{ ...params, state: 'refused' }])
  })
})

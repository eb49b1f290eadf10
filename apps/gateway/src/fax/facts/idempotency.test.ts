import { type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import { expect, it } from 'vitest'
import { transact } from '../../base/db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { deskStart, faxDesk, newJob } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { acceptJob } from '../accept/accept.ts'
import { advance } from '../move/advance.ts'
import { bindCall } from './idempotency.ts'
import { resendFax } from '../accept/resend.ts'
import { findFirstAnswer } from '../accept/submit.ts'

/** Calls whose answer names a fax that did not exist before, on purpose without a key: nothing is made by repeating them. */
const makesFaxes: RouteName[] = [
  'submitFax',
  'splitFax',
  'requestFax',
  'resendFax',
  'resendJob',
  'approveFax',
  'createBroadcast',
  'resendBroadcast',
  'simulateInbound',
  // Its decision to send again makes no fax, but another attempt.
  'resolveJob',
]

it('every call that makes a fax honors an Idempotency-Key, and the OpenAPI description says so', async () => {
  const rows = Object.entries<RouteRow>(routes)
  expect(
    rows
      .filter(([, row]) => row.idempotent)
      .map(([name]) => name)
      .sort(),
  ).toEqual(makesFaxes.sort())
  const { app } = await startGateway()
  const { paths } = (await app.inject({ url: '/openapi.json', headers: { host: '127.0.0.1' } })).json<{
    paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[] }>>
  }>()
  const named = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, parameters }) =>
      parameters?.some(({ name }) => name === 'Idempotency-Key') ? [operationId] : [],
    ),
  )
  expect(named.sort()).toEqual(makesFaxes.sort())
})

async function endedFax() {
  const gateway = await startGateway({ env: { DEFAULT_COUNTRY: 'US' } })
  const { client, app, key } = gateway
  const file = new File(['Dear colleague,\n'], 'letter.txt', { type: 'text/plain' })
  const { id } = await client.submitFax({ form: { to: '+15555550123', file } })
  const other = await client.submitFax({ form: { to: '+15555550124', file } })
  for (const each of [id, other.id]) {
    await expect
      .poll(async () => (await client.getJob({ params: { id: each } })).status, { timeout: 20_000 })
      .toBe('SUCCESS')
  }
  const post = (url: string, idempotencyKey: string, payload?: object) =>
    app.inject({
      method: 'POST',
      url,
      headers: { host: '127.0.0.1', 'x-api-key': key, 'idempotency-key': idempotencyKey },
      ...(payload ? { payload } : {}),
    })
  return { ...gateway, id, other: other.id, post }
}

it('a resend under the same key is one fax with one answer, and another request under it is refused', async () => {
  const { client, post, id, other } = await endedFax()
  const url = `/admin/fax-jobs/${id}/resend`
  const together = await Promise.all(Array.from({ length: 5 }, () => post(url, 'again-1')))
  expect(together.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202, 202])
  expect(new Set(together.map(({ body }) => body)).size).toBe(1)
  expect(together.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(4)
  const child = together[0]?.json<{ id: string }>().id ?? ''
  await expect
    .poll(async () => (await client.getJob({ params: { id: child } })).status, { timeout: 20_000 })
    .toBe('SUCCESS')
  const late = await post(url, 'again-1')
  expect([late.body, late.headers['idempotent-replayed']]).toEqual([together[0]?.body, 'true'])
  expect((await post(`/admin/fax-jobs/${other}/resend`, 'again-1')).json()).toMatchObject({
    code: 'idempotency_conflict',
  })
  expect((await post(url, 'x'.repeat(256))).statusCode).toBe(400)
  expect((await post(url, 'again-2')).headers['idempotent-replayed']).toBeUndefined()
  expect((await client.listJobs({ query: {} })).total).toBe(4)
})

it('a test fax under the same key is received once', async () => {
  const { client, post } = await endedFax()
  const url = '/admin/inbound/simulate'
  const answers = [...(await Promise.all([post(url, 'test-1', { pages: 1 }), post(url, 'test-1', { pages: 1 })]))]
  answers.push(await post(url, 'test-1', { pages: 1 }))
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(2)
  expect((await post(url, 'test-1', { pages: 2 })).statusCode).toBe(409)
  const tests = (await client.listInbound({ query: {} })).filter((fax) => fax.is_test)
  expect(tests.map(({ id }) => id)).toContain(answers[0]?.json<{ id: string }>().id)
  expect(tests.filter(({ pages }) => pages === 1).length).toBeLessThan(4)
})

onEachDatabase((open, another) => {
  it('a resend repeated by two gateways at once is one fax', async () => {
    const database = await open()
    const here = await faxDesk(database, makeLine())
    const there = await faxDesk(await another(database), makeLine())
    const { id } = await here.submit()
    await advance(here.context, id, { to: 'failed', kind: 'cancelled', sentence: 'Canceled.' })
    const call = { callerKeyId: 'k', idempotencyKey: 'once' }
    const accepted = await Promise.all(
      Array.from({ length: 6 }, (_, n) => {
        const { context } = n % 2 ? here : there
        return resendFax(context, id, call)
      }),
    )
    expect(new Set(accepted.map(({ job }) => job.id)).size).toBe(1)
    expect(accepted.filter(({ replayed }) => !replayed)).toHaveLength(1)
    const children = database.db.selectFrom('fax_jobs').select('id').where('parent_id', '=', id)
    expect(await children.execute()).toHaveLength(1)
    await advance(here.context, accepted[0]?.job.id ?? '', { to: 'failed', kind: 'cancelled', sentence: 'Canceled.' })
    here.pass(25 * 3_600_000)
    expect((await resendFax(here.context, id, call)).replayed).toBe(false)
  })

  it('a key is bound to one call, by whichever gateway', async () => {
    const database = await open()
    const now = new Date(deskStart)
    const call = { callerKeyId: 'k', idempotencyKey: 'mine' }
    const bind = (fingerprint: string) => transact(database, (tx) => bindCall(tx, call, fingerprint, now))
    const first = await bind('approve a')
    expect(first.replayed).toBe(false)
    expect(await bind('approve a')).toEqual({ name: first.name, replayed: true })
    await expect(bind('approve b')).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })

  it('the first answer comes again only when it is on the disk', async () => {
    const database = await open()
    const { context } = await faxDesk(database, makeLine())
    const order: string[] = []
    const watched = {
      ...database,
      synced: async () => {
        order.push('synced')
        await database.synced()
      },
    }
    const row = newJob()
    await acceptJob(context, { row, sentence: 'Accepted.', idempotency: { key: 'k1', fingerprint: 'f' } })
    const asked = { callerKeyId: row.caller_key_id, idempotencyKey: 'k1', fingerprint: 'f' }
    const first = await findFirstAnswer({ ...context, database: watched }, asked)
    order.push('answered')
    expect(first).toMatchObject({ job: { id: row.id }, replayed: true })
    expect(order).toEqual(['synced', 'answered'])
    const conflict = findFirstAnswer({ ...context, database: watched }, { ...asked, fingerprint: 'other' })
    await expect(conflict).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })
})

import type { Client, Job } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { startGateway } from '../testing/start-gateway.ts'

const letter = () =>
  new File(['Dear colleague,\nplease find the results below.\n'], 'letter.txt', { type: 'text/plain' })
const send = (client: Client, to: string) => client.submitFax({ form: { to, file: letter() } })

/** Polls a job until it looks as expected. */
async function reach(client: Client, id: string, expected: Partial<Job>): Promise<Job> {
  await expect.poll(() => client.getJob({ params: { id } }), { timeout: 8000, interval: 20 }).toMatchObject(expected)
  return client.getJob({ params: { id } })
}

describe('a fax over the test line', () => {
  it('is delivered and arrives in the inbox', async () => {
    const { client } = await startGateway({ env: { INBOUND_LIST_RPM: '0' } })
    const sent = await send(client, '+1 (555) 555-0123')
    expect(sent).toMatchObject({ to: '+15555550123', status: 'queued', backend: 'testline', test: true, pages: 1 })
    const job = await reach(client, sent.id, { status: 'SUCCESS' })
    expect(job).toMatchObject({ test: true, pages_confirmed: 1, error: null, attempts: [{ number: 1, kind: null }] })
    expect(job.timeline.map(({ event }) => event)).toEqual([
      'queued',
      'preparing',
      'submitting',
      'accepted',
      'delivered',
    ])
    await expect.poll(() => client.listInbound({ query: {} })).toMatchObject([{ status: 'received', pages: 1 }])
  })

  it('that is busy waits for its next try, and can be canceled', async () => {
    const { client } = await startGateway()
    const { id } = await send(client, '+15555550100')
    const busy = await reach(client, id, { error_kind: 'busy' })
    expect(busy).toMatchObject({ status: 'in_progress', attempt_count: 1, max_attempts: 4, actions: ['cancel'] })
    expect(busy.timeline.at(-1)?.sentence).toBe('The line was busy. Retrying, attempt 2 of 4.')
    const cancelled = await client.cancelJob({ params: { id } })
    expect(cancelled).toMatchObject({ status: 'FAILED', error_kind: 'cancelled' })
    await expect(client.cancelJob({ params: { id } })).rejects.toMatchObject({ status: 409 })
  })

  it.each([
    ['+15555550102', 'bad_number'],
    ['+15555550103', 'partial'],
  ])('to %s fails at once as %s', async (to, kind) => {
    const { client } = await startGateway()
    const { id } = await send(client, to)
    expect(await reach(client, id, { status: 'FAILED' })).toMatchObject({ error_kind: kind, attempt_count: 1 })
  })

  it('whose end is not known waits for a person, who decides', async () => {
    const { client } = await startGateway()
    const { id } = await send(client, '+15555550106')
    const job = await reach(client, id, { needs_attention: true })
    expect(job).toMatchObject({ status: 'in_progress', error_kind: 'uncertain', attempt_count: 1 })
    expect(job.actions).toContain('resolve')
    expect(await client.resolveJob({ params: { id }, body: { outcome: 'delivered' } })).toMatchObject({
      status: 'SUCCESS',
      needs_attention: false,
    })
    const { attention } = await client.getActivity({ query: {} })
    expect(attention).toEqual([])
  })

  it('whose end is not known is sent again once for each decision, however often its call is repeated', async () => {
    const { client } = await startGateway()
    const { id } = await send(client, '+15555550106')
    const first = await reach(client, id, { needs_attention: true })
    const again = { outcome: 'send_again', attempt: first.attempt_count } as const
    const decide = (body: { outcome: 'send_again' | 'failed'; attempt?: number }) =>
      client.resolveJob({ params: { id }, body }, { headers: { 'idempotency-key': 'decided-once' } })
    await decide(again)
    await reach(client, id, { needs_attention: true, attempt_count: 2 })

    expect(await decide(again)).toMatchObject({ needs_attention: true, attempt_count: 2 })
    await expect(decide({ outcome: 'failed' })).rejects.toMatchObject({ answer: { code: 'idempotency_conflict' } })
    const late = client.resolveJob({ params: { id }, body: again })
    await expect(late).rejects.toMatchObject({
      answer: { detail: expect.stringContaining('tried again since') as string },
    })
    expect(await reach(client, id, { needs_attention: true })).toMatchObject({ attempt_count: 2 })
  })

  it('that is not open to a decision refuses it again when its call is repeated', async () => {
    const { client } = await startGateway()
    const { id } = await send(client, '+15555550123')
    await reach(client, id, { status: 'SUCCESS' })
    const decide = () =>
      client.resolveJob({ params: { id }, body: { outcome: 'failed' } }, { headers: { 'idempotency-key': 'refused' } })
    for (let times = 0; times < 2; times++) await expect(decide()).rejects.toMatchObject({ status: 409 })
  })

  it('that failed stands beside received ones that did, the last one first', async () => {
    const { client } = await startGateway()
    const { id } = await send(client, '+15555550102')
    await reach(client, id, { status: 'FAILED' })
    const received = await client.simulateInbound({ body: { fr: '+15551234567', status: 'failed' } })
    const { attention } = await client.getActivity({ query: {} })
    expect(attention).toMatchObject([
      { kind: 'failed', job_id: null, inbound_id: received.id, to_number: null },
      { kind: 'failed', job_id: id, inbound_id: null, from_number: null },
    ])
    expect(attention[0]?.from_number).toBe('********4567')
  })

  it('is sent again as a new job that names its parent', async () => {
    const { client } = await startGateway()
    const { id } = await send(client, '+15555550123')
    await reach(client, id, { status: 'SUCCESS' })
    const again = await client.resendJob({ params: { id } })
    expect(again).toMatchObject({ parent_id: id, backend: 'testline' })
    await reach(client, again.id, { status: 'SUCCESS' })
    const { jobs, total } = await client.listJobs({ query: {} })
    expect([jobs.length, total]).toEqual([2, 2])
  })

  it('that was queued when the gateway stopped goes on after the next start', async () => {
    const first = await startGateway({ env: { TESTLINE_SECONDS: '1' } })
    const { id } = await send(first.client, '+15555550123')
    await first.stop()
    const second = await startGateway({ directory: first.directory, env: { INBOUND_LIST_RPM: '0' } })
    await reach(second.client, id, { status: 'SUCCESS' })
    await expect.poll(() => second.client.listInbound({ query: {} })).toHaveLength(1)
  })
})

describe('an Idempotency-Key', () => {
  it('gives the first answer again', async () => {
    const { client } = await startGateway()
    const options = { headers: { 'idempotency-key': 'order-1' } }
    const first = await client.submitFax({ form: { to: '+15555550123', file: letter() } }, options)
    await reach(client, first.id, { status: 'SUCCESS' })
    expect(await client.submitFax({ form: { to: '+15555550123', file: letter() } }, options)).toEqual(first)
  })
})

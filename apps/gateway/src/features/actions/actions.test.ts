import { describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const on = { env: { ENABLE_ADMIN_EXEC: 'true' } }

describe('actions', () => {
  it('are off, listed and refused, until the setting says otherwise', async () => {
    const { client } = await startGateway()
    const { enabled, items } = await client.listActions({})
    expect(enabled).toBe(false)
    expect(items.map(({ id }) => id)).toContain('version_report')
    await expect(client.runAction({ body: { id: 'version_report' } })).rejects.toMatchObject({
      status: 403,
      answer: { code: 'actions_disabled', detail: expect.stringContaining('ENABLE_ADMIN_EXEC') },
    })
    await client.updateSettings({ body: { enable_admin_exec: true } })
    expect((await client.listActions({})).enabled).toBe(true)
    expect(await client.runAction({ body: { id: 'version_report' } })).toMatchObject({ ok: true, code: 0 })
  })

  it('refuse whatever is not on the list', async () => {
    const { client } = await startGateway(on)
    for (const id of ['rm -rf /', '../version_report', '', 'constructor']) {
      await expect(client.runAction({ body: { id } })).rejects.toMatchObject({ status: 404 })
    }
    expect((await client.listLogs({ query: { event: 'action_started' } })).items).toEqual([])
  })

  it.each([
    ['version_report', /Faxdeck +\d+\.\d+\.\d+\n.*Node\.js +v\d+/s],
    ['disk_space', /Available|Avail/],
    ['list_faxdata', /faxdeck\.db/],
    ['queue_report', /waiting +0\nunder way +0/],
    ['verify_audit_chain', /^\d+ entries verified\. The audit chain is intact\.\n$/],
    ['conversion_self_test', /fax pages +2 pages.*Conversion works\.\n$/s],
  ])('%s tells the truth', async (id, success) => {
    const { client } = await startGateway(on)
    const output = await client.runAction({ body: { id } })
    expect(output).toMatchObject({ ok: true, id, code: 0, stderr: '' })
    expect(output.stdout).toMatch(success)
  })

  it('run one at a time, and every run is in the audit trail', async () => {
    const { client } = await startGateway(on)
    const run = () => client.runAction({ body: { id: 'conversion_self_test' } })
    const runs = await Promise.allSettled([run(), run()])
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(runs.find((each) => each.status === 'rejected')?.reason).toMatchObject({ status: 409 })
    expect((await run()).ok).toBe(true)
    const { items } = await client.listLogs({ query: {} })
    expect(items.map(({ event, action, code }) => [event, action, code])).toEqual([
      ['action_ended', 'conversion_self_test', 0],
      ['action_started', 'conversion_self_test', undefined],
      ['action_ended', 'conversion_self_test', 0],
      ['action_started', 'conversion_self_test', undefined],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { signedIn } from '../../testing/browser.ts'
import { startGateway } from '../../testing/start-gateway.ts'

async function withFax(env: Record<string, string> = {}) {
  const gateway = await startGateway({ env: { INBOUND_GET_RPM: '0', ...env } })
  const { id } = await gateway.client.simulateInbound({ body: { pages: 1 } })
  const statusOf = async () => (await gateway.client.getInbound({ params: { id } })).status
  await expect.poll(statusOf, { timeout: 20_000 }).toBe('received')
  const { browser: kim, person } = await signedIn(gateway, 'operator', 'nurse.kim')
  return { ...gateway, id, kim, person }
}

describe('who opened a fax', () => {
  it('is told with the name and the way: opened, downloaded, printed, and never by a thumbnail', async () => {
    const { client, id, kim, person } = await withFax()
    await kim.ask('GET', `/admin/inbound/${id}/pages/1?width=128`)
    const views = async () => (await client.listFaxViews({ params: { id } })).views
    expect(await views()).toEqual([])
    await kim.ask('GET', `/admin/inbound/${id}/pages/1`)
    await kim.ask('GET', `/inbound/${id}/pdf`)
    expect((await kim.ask('POST', `/admin/faxes/${id}/printed`)).status).toBe(204)
    const by = { key_id: `person:${person.id}`, name: 'nurse.kim' }
    expect(await views()).toMatchObject([
      { how: 'printed', ...by },
      { how: 'downloaded', ...by },
      { how: 'opened', ...by },
    ])
  })

  it('is for those who read the trail, and no print is recorded of a fax that somebody may not read', async () => {
    const gateway = await withFax()
    const { id, kim } = gateway
    const { browser: auditor } = await signedIn(gateway, 'auditor')
    const url = `/admin/faxes/${id}/views`
    expect((await kim.ask('GET', url)).status).toBe(403)
    expect((await auditor.ask('GET', url)).body).toMatchObject({ views: [], recorded: true })
    expect((await auditor.ask('POST', `/admin/faxes/${id}/printed`)).status).toBe(404)
    const { items } = await gateway.client.listLogs({ query: { event: 'document_printed' } })
    expect(items).toEqual([])
  })

  it('is said not to be recorded where an installation does not want it', async () => {
    const { client, id } = await withFax({ AUDIT_DOCUMENT_VIEWS: 'false' })
    expect(await client.listFaxViews({ params: { id } })).toEqual({ views: [], recorded: false })
  })
})

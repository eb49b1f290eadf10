import { describe, expect, it } from 'vitest'
import { type Browser, signedIn } from '../testing/browser.ts'
import { startGateway, type TestGateway } from '../testing/start-gateway.ts'

async function sent({ client }: TestGateway, browser: Browser, to: string): Promise<string> {
  const form = new FormData()
  form.set('to', to)
  form.set('file', new File(['Dear all'], 'letter.txt', { type: 'text/plain' }))
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: form })
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const { status, body } = await browser.ask('POST', '/fax', {
    json: Buffer.from(await request.arrayBuffer()),
    headers,
  })
  expect(status).toBe(202)
  const id = String(body.id)
  const state = async () => (await client.getJob({ params: { id } })).status
  await expect.poll(state, { timeout: 20_000 }).toBe('SUCCESS')
  return id
}

/** A fax each of a sender, of another one and of a key. */
async function threeFaxes() {
  const gateway = await startGateway()
  const [own, other] = [await signedIn(gateway, 'sender', 'own'), await signedIn(gateway, 'sender', 'other')]
  const file = new File(['Dear all'], 'letter.txt', { type: 'text/plain' })
  const ofKey = await gateway.client.submitFax({ form: { to: '+15555550150', file } })
  const ids = {
    own: await sent(gateway, own.browser, '+15555550151'),
    other: await sent(gateway, other.browser, '+15555550152'),
    key: ofKey.id,
  }
  return { gateway, own, other, ids }
}

describe('a person who sends', () => {
  it('sees the faxes they sent in every call of the console, and learns of no other', async () => {
    const { own, ids, gateway } = await threeFaxes()
    const { browser } = own
    const get = async (url: string) => (await browser.ask('GET', url)).body
    const summaries = async (query: string) => {
      const { jobs, total } = await get(`/admin/fax-jobs${query}`)
      return [jobs.map(({ id }: { id: string }) => id), total]
    }
    const mine = [[ids.own], 1]
    expect(await summaries('')).toEqual(mine)
    expect(await summaries('?status=SUCCESS&sort=ended')).toEqual(mine)
    expect(await summaries('?sort=ended')).toEqual(mine)
    expect(await summaries('?sort=pages')).toEqual(mine)
    expect(await summaries('?q=letter')).toEqual(mine)
    expect(await summaries('?q=0152')).toEqual([[], 0])
    expect(await summaries(`?q=${ids.other.slice(0, 8)}`)).toEqual([[], 0])
    const csv = String(await get(`/admin/fax-jobs/export.csv?ids=${ids.own},${ids.other},${ids.key}`))
    expect([csv.includes(ids.own), csv.includes(ids.other), csv.includes(ids.key)]).toEqual([true, false, false])
    expect(await get('/admin/recipients?to=%2B15555550152')).toMatchObject({ faxed_before: 0, last_delivered_at: null })
    expect((await get('/fax')).faxes).toMatchObject([{ id: ids.own }])
    expect(await gateway.client.getJob({ params: { id: ids.own } })).toMatchObject({ key_name: 'own' })
  })

  it('is answered for the fax of somebody else as for one that is not there', async () => {
    const { own, ids } = await threeFaxes()
    const calls: [string, string][] = [
      ['GET', ''],
      ['GET', '/pdf'],
      ['GET', '/pages/1'],
      ['GET', '/receipt'],
      ['GET', '/marks?q=dear'],
      ['POST', '/refresh'],
      ['POST', '/cancel'],
      ['POST', '/resend'],
    ]
    const absent = '0'.repeat(32)
    for (const [method, rest] of calls) {
      const ask = async (id: string) => {
        const { status, body } = await own.browser.ask(method, `/admin/fax-jobs/${id}${rest}`)
        return [status, body.code, body.detail]
      }
      const [other, key, none] = [await ask(ids.other), await ask(ids.key), await ask(absent)]
      expect([rest, other, key]).toEqual([rest, none, none])
      expect(none[0]).toBe(404)
      if (method === 'GET') expect((await ask(ids.own))[0]).toBe(200)
    }
  })

  it('is seen by operators, and a new role counts for their next call', async () => {
    const { gateway, own, ids } = await threeFaxes()
    const operator = await signedIn(gateway, 'operator')
    expect((await operator.browser.ask('GET', '/admin/fax-jobs')).body).toMatchObject({ total: 3 })
    expect((await operator.browser.ask('GET', `/admin/fax-jobs/${ids.own}`)).status).toBe(200)
    await gateway.client.updatePerson({ params: { id: own.person.id }, body: { role: 'auditor' } })
    expect((await own.browser.ask('GET', `/admin/fax-jobs/${ids.own}`)).status).toBe(403)
    expect((await own.browser.ask('GET', '/admin/logs')).status).toBe(200)
  })
})

import { expect, it } from 'vitest'
import { listeningGateway } from '../testing/listening.ts'

it('the document of a fax is read by the key that sent it, and each time recorded; another key finds nothing, and can do nothing with it', async () => {
  const { client, program } = await listeningGateway()
  const [own, foreign] = [await program('own'), await program('own')]
  const id = await own.send()
  const answer = await own.call('GET', `/fax/${id}/document`)
  expect([answer.status, answer.headers.get('content-type'), answer.text.slice(0, 5)]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ])
  expect((await foreign.call('GET', `/fax/${id}/document`)).status).toBe(404)
  const sends = await program('own', ['fax:send'])
  expect((await sends.call('GET', `/fax/${id}/document`)).status).toBe(403)
  const actions = async (program: typeof own) => (await program.call('GET', `/fax/${id}?wait=30`)).json()['actions']
  expect(await actions(own)).toEqual(['resend'])
  expect(await actions(await program('by_id'))).toEqual([])
  expect(await actions(await program('all', ['fax:read']))).toEqual([])
  const { items } = await client.listLogs({ query: { event: 'admin_pdf_download' } })
  expect(items).toMatchObject([{ job_id: id, key_id: own.keyId }])
})

import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { through } from '../../testing/through-emulator.ts'

it('tells whoever receives a fax that is empty or cut off what is wrong with it, and not to send another file', async () => {
  const { emulator, client, gatewayUrl } = await through('phaxio')
  const receive = async (id: number, content: string) => {
    const file = Buffer.from(content)
    const fax = JSON.stringify({ id, direction: 'received', status: 'success' })
    const url = `${gatewayUrl}/phaxio-inbound`
    const signed = `${url}fax${fax}file${createHash('sha1').update(file).digest('hex')}`
    const signature = createHmac('sha1', emulator.env.PHAXIO_CALLBACK_TOKEN ?? '')
      .update(signed)
      .digest('hex')
    const body = new FormData()
    body.append('fax', fax)
    body.append('file', new Blob([file]), 'a.pdf')
    expect((await fetch(url, { method: 'POST', headers: { 'x-phaxio-signature': signature }, body })).status).toBe(200)
  }
  await receive(1, '%PDF-1.4 cut off')
  const errors = async () => (await client.listInbound({ query: {} })).map(({ error }) => error)
  await expect.poll(errors, { timeout: 20_000 }).toEqual([expect.any(String)])
  const [error] = await errors()
  expect(error).toMatch(/damaged|incomplete/)
  expect(error).not.toMatch(/Upload|Choose|Save|Print|Send/)
  await emulator.receive({ from: '+15551230000', to: '+15551230001', pages: 1, pdf: new Uint8Array(0) })
  await expect.poll(errors, { timeout: 20_000 }).toContain('The file is empty.')
})

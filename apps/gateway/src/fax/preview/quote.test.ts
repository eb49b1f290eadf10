import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { callSeconds } from './quote.ts'

const file = (pages: number) =>
  new File([Array.from({ length: pages }, (_, page) => `Page ${page + 1}`).join('\f')], 'letter.txt')

it('tells pages, bytes and minutes of a document, and keeps nothing of it', async () => {
  const { client, directory } = await startGateway()
  const quote = await client.quoteFax({ form: { file: file(3) } })
  expect(quote).toMatchObject({ pages: 3, minutes: 1 })
  expect(quote.bytes_per_page).toHaveLength(3)
  expect(quote.seconds).toBe(callSeconds(quote.bytes_per_page, 14_400))
  expect(quote.seconds_at_33600).toBeLessThanOrEqual(quote.seconds)
  expect(await readdir(join(directory, 'previews'))).toEqual([])
  expect((await client.listJobs({ query: {} })).total).toBe(0)
})

it.each([
  [{}, false],
  [{ FAX_DISABLED: 'false', FAX_OUTBOUND_BACKEND: 'phaxio', PHAXIO_API_KEY: 'key', PHAXIO_API_SECRET: 'secret' }, true],
])('tells whether the provider draws the pages itself', async (env, drawn_by_provider) => {
  const { client } = await startGateway({ env })
  expect(await client.quoteFax({ form: { file: file(1) } })).toMatchObject({ drawn_by_provider })
})

it('quotes a preview as it quotes the document', async () => {
  const { client } = await startGateway()
  const { id } = await client.createPreview({ form: { file: file(2) } })
  expect(await client.quotePreview({ params: { id }, query: {} })).toEqual(
    await client.quoteFax({ form: { file: file(2) } }),
  )
})

it('refuses what cannot be faxed in the words of a submission', async () => {
  const { client } = await startGateway()
  const broken = new File(['%PDF-1.7 and no more'], 'letter.pdf')
  await expect(client.quoteFax({ form: { file: broken } })).rejects.toMatchObject({ status: 422 })
  expect((await client.listJobs({ query: {} })).total).toBe(0)
})

it('counts the bits of the pages at the rate of the line', () => {
  // 45,000 bytes are 360,000 bits: 25 s at 14,400 bit/s, and about 3 % more for the frames.
  expect(callSeconds([45_000], 14_400)).toBe(12 + 26 + 4)
  expect(callSeconds([], 14_400)).toBe(12)
})

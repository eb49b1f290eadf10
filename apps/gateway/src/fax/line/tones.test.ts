import { describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

/** A page with a gray box on it: PDF readers rebuild the table that is left out here. */
const content = '0.5 g 100 300 400 400 re f'
const grayBox = () =>
  new File(
    [
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
        '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>endobj\n' +
        `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
    ],
    'box.pdf',
  )

/** Its time would tell two pictures of one page apart. */
const withoutHeaderLine = { FAX_HEADER_LINE: 'false' }

const bytesOf = async (image: Blob) => Buffer.from(await image.arrayBuffer()).toString('base64')

describe('what pages are made black and white for', () => {
  it('is seen in the preview, kept with the fax, and the same when it is sent again', async () => {
    const { client } = await startGateway({ env: withoutHeaderLine })
    const { id } = await client.createPreview({ form: { file: grayBox() } })
    const preview = async (tones: 'auto' | 'text' | 'photo') =>
      bytesOf(await client.getPreviewPage({ params: { id, page: 1 }, query: { tones } }))
    const [auto, text, photo] = [await preview('auto'), await preview('text'), await preview('photo')]
    expect(new Set([auto, text, photo]).size).toBe(3)

    const page = async (job: string) => bytesOf(await client.getJobPage({ params: { id: job, page: 1 }, query: {} }))
    const usual = await client.submitFax({ form: { to: '+15555550123', file: grayBox() } })
    const asText = await client.submitFax({ form: { to: '+15555550124', file: grayBox(), tones: 'text' } })
    expect([await page(usual.id), await page(asText.id)]).toEqual([auto, text])

    await expect
      .poll(() => client.getFax({ params: { id: asText.id } }), { timeout: 8000 })
      .toMatchObject({
        status: 'SUCCESS',
      })
    const again = await client.resendJob({ params: { id: asText.id } })
    expect(await page(again.id)).toBe(text)
  })

  it('is what the pages on the line show', async () => {
    const { client } = await startGateway({ env: withoutHeaderLine })
    const { id } = await client.createPreview({ form: { file: grayBox() } })
    await client.submitFax({ form: { to: '+15555550123', file: grayBox(), tones: 'photo' } })
    await expect
      .poll(() => client.listInbound({ query: {} }), { timeout: 45_000, interval: 2000 })
      .toMatchObject([{ status: 'received' }])
    const [received] = await client.listInbound({ query: {} })
    const arrived = await client.getInboundPage({ params: { id: received?.id ?? '', page: 1 }, query: {} })
    const seen = await client.getPreviewPage({ params: { id, page: 1 }, query: { tones: 'photo' } })
    expect(await bytesOf(arrived)).toBe(await bytesOf(seen))
  })

  it('is one of three', async () => {
    const { client } = await startGateway()
    const form = { to: '+15555550123', file: grayBox(), tones: 'sepia' as 'photo' }
    await expect(client.submitFax({ form })).rejects.toMatchObject({ status: 422 })
  })
})

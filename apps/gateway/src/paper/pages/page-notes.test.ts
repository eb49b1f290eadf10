import { describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const content = '1 1 0.6 rg BT /F1 12 Tf 72 700 Td (Take two tablets) Tj ET'

/** A PDF of one page, with the place of its cross-reference table, or a wrong one. */
function pdfOf(drawn: string, start?: number): File {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${drawn.length}>>stream\n${drawn}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let text = '%PDF-1.4\n'
  let rows = '0000000000 65535 f \n'
  for (const [index, object] of objects.entries()) {
    rows += `${String(text.length).padStart(10, '0')} 00000 n \n`
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const end = `trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${start ?? text.length}\n%%EOF\n`
  return new File([`${text}xref\n0 6\n${rows}${end}`], 'page.pdf')
}

/** Type too pale to be seen on any fax: the page comes out blank. */
const palePage = () => pdfOf(content)

const sentence = 'Page 1 came out blank, although the document has content there.'
const note = { page: 1, kind: 'blank_page', sentence, places: [] }

const ended = (status: string) => (fax: { status: string }) => {
  expect(fax.status).toBe(status)
  return fax
}

describe('a fax with a page that loses what is on it', () => {
  it('is named by the quote, and is not sent unless the sender allows it', async () => {
    const { client } = await startGateway()
    const form = { to: '+15555550123', file: palePage() }
    expect(await client.quoteFax({ form })).toMatchObject({ page_notes: [note] })

    const refused = await client.submitFax({ form })
    expect(refused.page_notes).toEqual([])
    const read = async () => ended('FAILED')(await client.getFax({ params: { id: refused.id } }))
    await expect
      .poll(() => read().catch(() => undefined), { timeout: 8000 })
      .toMatchObject({
        error: `${sentence} The fax was not sent. Change the document, or allow it to be sent as it is.`,
        error_kind: 'bad_document',
        page_notes: [note],
      })
    expect(await client.getJob({ params: { id: refused.id } })).toMatchObject({ page_notes: [note], attempts: [] })
  })

  it('is sent with a note where the sender allows it', async () => {
    const { client } = await startGateway()
    const sent = await client.submitFax({ form: { to: '+15555550124', file: palePage(), unreadable: 'send' } })
    const read = async () => ended('SUCCESS')(await client.getFax({ params: { id: sent.id } }))
    await expect.poll(() => read().catch(() => undefined), { timeout: 8000 }).toMatchObject({ page_notes: [note] })
    const { timeline } = await client.getJob({ params: { id: sent.id } })
    expect(timeline.map((entry) => entry.sentence).join(' ')).toContain(sentence)
  })

  it('is sent again with a note when a person decides so, and refused again otherwise', async () => {
    const { client } = await startGateway()
    const form = { to: '+15555550126', file: palePage() }
    const refused = await client.submitFax({ form })
    const outcome = (id: string, status: string) =>
      expect.poll(async () => (await client.getFax({ params: { id } })).status, { timeout: 30_000 }).toBe(status)
    await outcome(refused.id, 'FAILED')
    const again = await client.resendJob({ params: { id: refused.id } })
    await outcome(again.id, 'FAILED')
    const allowed = await client.resendJob({ params: { id: refused.id }, body: { unreadable: 'send' } })
    await outcome(allowed.id, 'SUCCESS')
    expect(await client.getFax({ params: { id: allowed.id } })).toMatchObject({ page_notes: [note] })
  })

  it('shows its notes to the person who approves it, whose choice holds', async () => {
    const { client } = await startGateway({ env: { REQUIRE_MCP_APPROVAL: 'true' } })
    const request = async (to: string) => {
      const { approval } = await client.requestFax({ form: { to, file: palePage() } })
      return { params: { id: approval?.id ?? '' } }
    }
    const [first, second] = [await request('+15555550127'), await request('+15555550128')]
    expect(await client.listApprovals({ query: {} })).toMatchObject([
      { page_notes: [note], unreadable: 'refuse' },
      { page_notes: [note], unreadable: 'refuse' },
    ])
    const end = async (id: string | null, status: string) =>
      expect
        .poll(async () => (await client.getFax({ params: { id: id ?? '' } })).status, { timeout: 30_000 })
        .toBe(status)
    await end((await client.approveFax({ ...first, body: { unreadable: 'send' } })).job_id, 'SUCCESS')
    await end((await client.approveFax(second)).job_id, 'FAILED')
  })

  it('changes nothing for a fax whose pages can be read', async () => {
    const { client } = await startGateway()
    const file = new File(['Dear Dr. Doe'], 'letter.txt')
    expect(await client.quoteFax({ form: { file } })).toMatchObject({ page_notes: [] })
    const sent = await client.submitFax({ form: { to: '+15555550125', file } })
    const read = async () => ended('SUCCESS')(await client.getFax({ params: { id: sent.id } }))
    await expect.poll(() => read().catch(() => undefined), { timeout: 8000 }).toMatchObject({ page_notes: [] })
  })
})

describe('a fax of a PDF that had to be repaired', () => {
  it('says so in the quote, from the moment it is accepted, and when it was sent; a blank one is refused', async () => {
    const { client } = await startGateway()
    const damaged = () => pdfOf('BT /F1 12 Tf 72 700 Td (Take two tablets) Tj ET', 9)
    const form = { to: '+15555550129', file: damaged() }
    const notes = [expect.objectContaining({ page: 1, kind: 'repaired', sentence: expect.stringContaining('damaged') })]
    expect(await client.quoteFax({ form })).toMatchObject({ page_notes: notes })
    const accepted = await client.submitFax({ form })
    expect(await client.getFax({ params: { id: accepted.id } })).toMatchObject({ page_notes: notes })
    const read = async () => ended('SUCCESS')(await client.getFax({ params: { id: accepted.id } }))
    await expect.poll(() => read().catch(() => undefined), { timeout: 8000 }).toMatchObject({ page_notes: notes })
    const blank = client.submitFax({ form: { ...form, file: pdfOf('', 9) } })
    const detail = expect.stringContaining('nothing can be seen on page 1') as unknown
    await expect(blank).rejects.toMatchObject({ status: 422, answer: { detail } })
  })
})

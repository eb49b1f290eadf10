import { describe, expect, it } from 'vitest'
import { startGateway } from '../testing/start-gateway.ts'

const rows = Array.from({ length: 70 }, (_, row) => `row${row},${row}`).join('\n')
const content = `Patient,Count\n${rows}`
/** As a text it is one page more or less: lines of a text are lower than rows of a table. */
const file = (name: string, type = '') => new File([content], name, { type })

describe('a file of separated values', () => {
  it.each([
    ['by its name', file('list.CSV')],
    ['by its type', file('list', 'text/csv')],
  ])('is a table, told %s, in the preview, the quote, the fax and its PDF', async (_by, list) => {
    const { client } = await startGateway()
    const asText = await client.createPreview({ form: { file: file('list.txt', 'text/csv') } })
    const preview = await client.createPreview({ form: { file: list } })
    expect([asText.pages, preview.pages]).toEqual([2, 3])
    expect(await client.quoteFax({ form: { file: list } })).toMatchObject({ pages: 3 })
    const sent = await client.submitFax({ form: { to: '+15555550123', file: list } })
    const job = await client.getJob({ params: { id: sent.id } })
    expect(job).toMatchObject({ pages: 3, document_kind: 'pdf', size_bytes: content.length })
    expect(job.file_name).toMatch(/^list\.csv$/i)
    const pdf = await client.getJobPdf({ params: { id: sent.id } })
    expect(await pdf.text()).toMatch(/^%PDF-/)
  })
})

describe('an office document that only LibreOffice lays out', () => {
  it('is refused with what to do where it is not there', async () => {
    const { client } = await startGateway()
    const stream = Buffer.from('Workbook', 'utf16le')
    const workbook = new File([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600), stream], 'list.xls')
    await expect(client.submitFax({ form: { to: '+15555550123', file: workbook } })).rejects.toMatchObject({
      status: 415,
      answer: { detail: expect.stringMatching(/LibreOffice.*PDF/) },
    })
  })
})

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../scripts/find-browser.mjs'
import { type GatewayProcess, startGateway, unlimited } from './harness/gateway-process.ts'
import { pdfFile } from './harness/paper.ts'
import { pngSize, rowsOf } from './harness/png.ts'
import { finishedJob, newestInbound } from './harness/received.ts'

const pages = [['Page one of two.', 'Slanted rules and black bars.'], ['Page two.']]
const poppler = findProgram('pdfimages')

let gateway: GatewayProcess
// The header line has the time in it, and a fax that is sent on gets one of its own.
beforeAll(async () => (gateway = await startGateway({ env: { ...unlimited, FAX_HEADER_LINE: 'false' } })))
afterAll(() => gateway.remove())

const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

describe('a PDF that is sent to the test line', () => {
  it('arrives as exactly the pages that the preview showed', async () => {
    const { client } = gateway
    const file = pdfFile('two-pages.pdf', pages)
    const preview = await client.createPreview({ form: { file } })
    expect(preview).toMatchObject({ kind: 'pdf', pages: 2 })
    const fax = await client.submitFax({ form: { to: '+1 (555) 555-0123', file } })
    expect(await finishedJob(client, fax.id)).toMatchObject({ status: 'SUCCESS', pages: 2, pages_confirmed: 2 })
    const inbound = await newestInbound(client)
    expect(inbound).toMatchObject({ pages: 2, is_test: true })
    for (const page of [1, 2]) {
      const shown = await bytesOf(await client.getPreviewPage({ params: { id: preview.id, page }, query: {} }))
      const faxed = await bytesOf(await client.getJobPage({ params: { id: fax.id, page }, query: {} }))
      const received = await bytesOf(await client.getInboundPage({ params: { id: inbound.id, page }, query: {} }))
      expect(pngSize(shown).width).toBe(1728)
      expect(faxed.equals(shown)).toBe(true)
      expect(received.equals(shown)).toBe(true)
    }
  })
})

describe('a received fax that is sent on', () => {
  it('loses nothing', async () => {
    const { client } = gateway
    const fax = await client.submitFax({ form: { to: '+15555550123', file: pdfFile('first.pdf', pages) } })
    await finishedJob(client, fax.id)
    const { id } = await newestInbound(client)
    const file = new File([await client.getInboundPdf({ params: { id } })], 'received.pdf', { type: 'application/pdf' })
    const again = await client.createPreview({ form: { file } })
    const received = await bytesOf(await client.getInboundPage({ params: { id, page: 2 }, query: {} }))
    const next = await bytesOf(await client.getPreviewPage({ params: { id: again.id, page: 2 }, query: {} }))
    expect(next.equals(received)).toBe(true)
  })
})

describe.skipIf(!poppler)('the PDF of a received fax, read by poppler', () => {
  it('holds every received pixel', async () => {
    const { client } = gateway
    const fax = await client.submitFax({ form: { to: '+15555550123', file: pdfFile('judged.pdf', pages) } })
    await finishedJob(client, fax.id)
    const inbound = await newestInbound(client)
    const pdf = await bytesOf(await client.getInboundPdf({ params: { id: inbound.id } }))
    const page = await bytesOf(await client.getInboundPage({ params: { id: inbound.id, page: 1 }, query: {} }))
    const lines = pictureIn(pdf)
    const shown = rowsOf(page)
    expect(lines.length).toBe(2156)
    // Fine resolution has more dots across than down: the page on the screen repeats lines to look like paper.
    const repeated = shown.map((_, y) => lines[Math.floor((y * lines.length) / shown.length)])
    expect(Buffer.concat(shown).equals(Buffer.concat(repeated.map((line) => line ?? Buffer.of())))).toBe(true)
  })
})

/** The lines of the first page's picture as poppler reads them out of a PDF, packed, 1 for black. */
function pictureIn(pdf: Buffer): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-e2e-'))
  try {
    writeFileSync(join(folder, 'fax.pdf'), pdf)
    const run = spawnSync(poppler ?? '', ['-l', '1', join(folder, 'fax.pdf'), join(folder, 'page')], {
      encoding: 'utf8',
    })
    if (run.status !== 0 || run.stderr !== '') throw new Error(`poppler could not read the PDF: ${run.stderr}`)
    const bitmap = readFileSync(join(folder, 'page-000.pbm'))
    const header = /^P4\s+(\d+)\s+(\d+)\s/.exec(bitmap.toString('latin1', 0, 40))
    if (!header) throw new Error('poppler found no 1-bit picture.')
    const [begin, length] = [header[0].length, Number(header[1]) / 8]
    return Array.from({ length: Number(header[2]) }, (_, y) =>
      bitmap.subarray(begin + y * length, begin + (y + 1) * length),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

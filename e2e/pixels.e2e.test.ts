import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../scripts/find-browser.mjs'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { pdfFile } from './harness/paper.ts'
import { finishedJob, newestInbound } from './harness/received.ts'

const pages = [['Page one of two.', 'Slanted rules and black bars.'], ['Page two.']]
const poppler = findProgram('pdftoppm')

let gateway: GatewayProcess
beforeAll(async () => (gateway = await startGateway()))
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

describe.skipIf(!poppler)('the PDF of a received fax, read by poppler', () => {
  it('holds every received pixel', async () => {
    const { client } = gateway
    const fax = await client.submitFax({ form: { to: '+15555550123', file: pdfFile('judged.pdf', pages) } })
    await finishedJob(client, fax.id)
    const inbound = await newestInbound(client)
    const pdf = await bytesOf(await client.getInboundPdf({ params: { id: inbound.id } }))
    const page = await bytesOf(await client.getInboundPage({ params: { id: inbound.id, page: 1 }, query: {} }))
    const { width, height } = pngSize(page)
    expect(rasterOf(pdf, width, height)).toMatchObject({ width, height })
  })
})

/** Width and height of a PNG, from its header (RFC 2083, 11.2.2). */
function pngSize(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

/** The first page as poppler draws it into a bitmap of a given size. */
function rasterOf(pdf: Buffer, width: number, height: number): { width: number; height: number; bits: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-e2e-'))
  try {
    writeFileSync(join(folder, 'fax.pdf'), pdf)
    const scale = ['-scale-to-x', String(width), '-scale-to-y', String(height)]
    const args = ['-mono', '-singlefile', ...scale, join(folder, 'fax.pdf'), join(folder, 'page')]
    const run = spawnSync(poppler ?? '', args, { encoding: 'utf8' })
    if (run.status !== 0 || run.stderr !== '') throw new Error(`pdftoppm could not read the PDF: ${run.stderr}`)
    const pbm = readFileSync(join(folder, 'page.pbm'))
    const header = /^P4\s+(\d+)\s+(\d+)\s/.exec(pbm.toString('latin1', 0, 40))
    if (!header) throw new Error('pdftoppm wrote no P4 bitmap.')
    return { width: Number(header[1]), height: Number(header[2]), bits: pbm.subarray(header[0].length) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

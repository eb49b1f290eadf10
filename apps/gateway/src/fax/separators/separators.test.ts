import { createDocuments } from '@faxdeck/documents'
import { scannedPile, scanPage, type Scanning } from '@faxdeck/documents/testing/scans'
import { afterAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const fine = { resolution: 'fine', paper: 'letter' } as const
const ann = { to: '+15555550123', reference: 'Ann Miller' }
const bob = { to: '+15555550188' }

async function scanOf(document: Uint8Array, scanning: Scanning = { skew: 1.5, noise: 0.005 }) {
  const page = await documents.page(document, 1, fine)
  return scanPage(page?.png ?? new Uint8Array(), scanning)
}

const letter = (text: string) => scanOf(Buffer.from(text))

async function sheet({ client }: TestGateway, body: { to: string; reference?: string }, scanning?: Scanning) {
  const pdf = await client.printSeparator({ body })
  return scanOf(new Uint8Array(await pdf.arrayBuffer()), scanning)
}

type Pages = Parameters<typeof scannedPile>[0]

async function pile(pages: Pages): Promise<File> {
  return new File([new Uint8Array(await scannedPile(pages))], 'scan.tiff')
}

/** Two faxes: one of two pages, one of one. */
async function twoFaxes(gateway: TestGateway): Promise<File> {
  return pile([
    ...[await sheet(gateway, ann), await letter('A1'), await letter('A2')],
    ...[await sheet(gateway, bob), await letter('B1')],
  ])
}

const jobsOf = async ({ client }: TestGateway) => (await client.listJobs({ query: {} })).total

describe('a scan with separator sheets', () => {
  it('is quoted as the faxes that it becomes, and sent as these, without the sheets', async () => {
    const gateway = await startGateway()
    const { client } = gateway
    const file = await twoFaxes(gateway)
    const { pages, parts } = await client.quoteSplit({ form: { file } })
    expect(pages).toBe(5)
    expect(parts).toMatchObject([
      { ...ann, first_page: 2, last_page: 3, pages: 2 },
      { ...bob, reference: null, first_page: 5, last_page: 5, pages: 1 },
    ])
    expect(await jobsOf(gateway)).toBe(0)
    const { faxes } = await client.splitFax({ form: { file, cover: 'plain' } })
    expect(faxes).toMatchObject([
      { to: ann.to, pages: 3 },
      { to: bob.to, pages: 2 },
    ])
    const names = await Promise.all(faxes.map(async ({ id }) => (await client.getJob({ params: { id } })).file_name))
    expect(names).toEqual(['Ann Miller.pdf', 'scan, part 2.pdf'])
    for (const { id } of faxes) {
      await expect
        .poll(async () => (await client.getFax({ params: { id } })).status, { timeout: 20_000 })
        .toBe('SUCCESS')
    }
    const pdf = await client.getJobPdf({ params: { id: faxes[0]?.id ?? '' } })
    const marks = await documents.marks(new Uint8Array(await pdf.arrayBuffer()), { paper: 'letter' })
    expect(marks.flatMap(({ texts }) => texts)).toEqual([])
  })

  it('is sent once under one key, however often and how many at a time', async () => {
    const gateway = await startGateway()
    const file = await pile([
      await sheet(gateway, ann, {}),
      await letter('A1'),
      await sheet(gateway, bob, {}),
      await letter('B1'),
    ])
    const send = (document: File, cover?: 'plain') =>
      gateway.client.splitFax(
        { form: { file: document, ...(cover ? { cover } : {}) } },
        { headers: { 'idempotency-key': 'pile-1' } },
      )
    const together = await Promise.all([send(file), send(file), send(file)])
    const later = await send(file)
    for (const { faxes } of [...together, later]) {
      expect(faxes.map(({ id }) => id)).toEqual(together[0].faxes.map(({ id }) => id))
    }
    expect(await jobsOf(gateway)).toBe(2)
    await expect(send(file, 'plain')).rejects.toMatchObject({ status: 409, answer: { code: 'idempotency_conflict' } })
    const form = { to: ann.to, file: await pile([await letter('A1')]) }
    const single = gateway.client.submitFax({ form }, { headers: { 'idempotency-key': 'pile-1' } })
    await expect(single).rejects.toMatchObject({ status: 409 })
    expect(await jobsOf(gateway)).toBe(2)
  })
})

describe('nothing is sent of a scan', () => {
  it('that would go to one number with its sheets, and the quote says so', async () => {
    const gateway = await startGateway()
    const { client } = gateway
    const refusal = {
      status: 422,
      answer: {
        code: 'bad_document',
        detail: expect.stringMatching(/^Page 1 is a separator sheet\..* Nothing was sent\.$/),
      },
    }
    const sheetPdf = await client.printSeparator({ body: ann })
    const printed = new File([new Uint8Array(await sheetPdf.arrayBuffer())], 'sheet.pdf')
    for (const file of [await twoFaxes(gateway), printed]) {
      await expect(client.quoteFax({ form: { file } })).rejects.toMatchObject(refusal)
      await expect(client.submitFax({ form: { to: ann.to, file } })).rejects.toMatchObject(refusal)
    }
    expect(await jobsOf(gateway)).toBe(0)
    const plain = await pile([await letter('A1'), await letter('A2')])
    expect(await client.submitFax({ form: { to: ann.to, file: plain } })).toMatchObject({ pages: 2 })
  })

  it('of which a sheet is spoiled, or was printed by another installation', async () => {
    const gateway = await startGateway()
    const spoiled = [await sheet(gateway, ann), await letter('A1'), await sheet(gateway, bob, { hidden: 190 })]
    const foreign = await sheet(await startGateway(), bob, {})
    for (const [pages, sentence] of [
      [spoiled, /Page 3 .* cannot be read.* Nothing was sent/],
      [[foreign, await letter('B1')], /Page 1 .* another installation.* Nothing was sent/],
    ] as const) {
      const refusal = { status: 422, answer: { code: 'bad_document', detail: expect.stringMatching(sentence) } }
      await expect(gateway.client.splitFax({ form: { file: await pile(pages) } })).rejects.toMatchObject(refusal)
    }
    expect(await jobsOf(gateway)).toBe(0)
  })

  it('and no sheet is printed for what is no number', async () => {
    const { client } = await startGateway()
    await expect(client.printSeparator({ body: { to: '12' } })).rejects.toMatchObject({
      answer: { code: 'bad_number' },
    })
  })
})

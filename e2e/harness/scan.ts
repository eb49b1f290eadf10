import { createDocuments } from '@faxdeck/documents'
import { scannedPile, scanPage } from '@faxdeck/documents/testing/scans'
import type { GatewayProcess } from './gateway-process.ts'

const paper = { resolution: 'fine', paper: 'letter' } as const

/** A scan of one page behind a separator sheet that a gateway printed for `to`, a TIFF. */
export async function scanBehindSheet({ client }: GatewayProcess, to: string): Promise<Buffer> {
  const documents = createDocuments({ threads: 1 })
  try {
    const sheet = await client.printSeparator({ body: { to, reference: 'Ann Miller' } })
    const pages = [new Uint8Array(await sheet.arrayBuffer()), Buffer.from('Dear colleague,')]
    const scans = []
    for (const page of pages) {
      const drawn = await documents.page(page, 1, paper)
      scans.push(await scanPage(drawn?.png ?? new Uint8Array(), {}))
    }
    return await scannedPile(scans)
  } finally {
    await documents.close()
  }
}

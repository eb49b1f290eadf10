import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocuments } from '@faxdeck/documents'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../testing/start-gateway.ts'

/** A scan of two written sides, and a blank one between them: TIFF pages are scans. */
async function threeSides(): Promise<File> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdeck-sides-'))
  const documents = createDocuments({ threads: 1 })
  onTestFinished(async () => {
    await documents.close()
    await rm(folder, { recursive: true })
  })
  const path = join(folder, 'sides.tif')
  await documents.toTiff(Buffer.from('Written side.\f\fAnother.'), path, { paper: 'letter', resolution: 'fine' })
  return new File([await readFile(path)], 'sides.tif')
}

it.each([
  ['a telephone line prints', { FAX_DISABLED: 'true' }, 2],
  [
    'a cloud provider gets as it is',
    { FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio', PHAXIO_API_KEY: 'k', PHAXIO_API_SECRET: 's' },
    3,
  ],
])('the blank side of a scan that %s is counted as it will be faxed', async (_what, env, pages) => {
  const { client } = await startGateway({ env: { ...env, FAX_SCAN_DROP_BLANK: 'true' } })
  const { pages: counted } = await client.quoteFax({ form: { file: await threeSides() } })
  expect(counted).toBe(pages)
})

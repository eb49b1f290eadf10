import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OutgoingFax } from '@faxdeck/provider-kit'
import { onTestFinished } from 'vitest'
import { faxTo } from './fake-host.ts'

/** A directory of the running test, gone when it is over. */
export async function freshDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'testline-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** A fax with a file of pages that says which attempt it is. */
export async function makeFax(to: string, known: Partial<OutgoingFax> = {}): Promise<OutgoingFax> {
  const tiffPath = join(await freshDirectory(), 'pages.tif')
  const fax = { ...faxTo(to, tiffPath), ...known }
  await writeFile(tiffPath, `pages of ${fax.attemptId}`)
  return fax
}

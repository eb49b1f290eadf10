import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLocalStorage } from './local.ts'
import { describeStorage } from './testing/storage.suite.ts'

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-storage-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

describeStorage('local', async () => createLocalStorage(join(await folder(), 'documents')))

it('leaves nothing half-written behind when a document cannot be put', async () => {
  const directory = await folder()
  const storage = createLocalStorage(directory)
  await storage.put('a/b', Buffer.from('x'))
  await expect(storage.put('a', Buffer.from('y'))).rejects.toThrow()
  expect(await readdir(directory)).toEqual(['a'])
})

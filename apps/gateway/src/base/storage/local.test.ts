import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLocalStorage } from './local.ts'
import { describeStorage, openWhileReplaced } from './testing/storage.suite.ts'

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-storage-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

describeStorage('local', async () => createLocalStorage(join(await folder(), 'documents')))

it('opens a document as one of its versions while it is replaced', async () => {
  await openWhileReplaced(createLocalStorage(await folder()))
})

it('leaves nothing half-written behind when a document cannot be put', async () => {
  const directory = await folder()
  const storage = createLocalStorage(directory)
  await storage.put('a/b', Buffer.from('x'))
  await expect(storage.put('a', Buffer.from('y'))).rejects.toThrow()
  expect(await readdir(directory)).toEqual(['a'])
})

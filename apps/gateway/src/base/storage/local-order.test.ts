import fs, { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Storage } from './storage.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** A storage that reads the functions of the file system while they are watched, and what it asks of the disk. */
async function watched() {
  const root = await mkdtemp(join(tmpdir(), 'faxdeck-order-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const steps: string[] = []
  const { open, rename } = fs
  const nameOf = (path: unknown) => relative(root, String(path)).replace(/\.[0-9a-f]{12}\.tmp$/, '.tmp') || 'root'
  vi.spyOn(fs, 'open').mockImplementation(async (path, ...manner) => {
    const handle = await open(path, ...manner)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      await sync()
      steps.push(`sync ${nameOf(path)}`)
    }
    return handle
  })
  vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
    await rename(from, to)
    steps.push(`rename ${nameOf(from)} ${nameOf(to)}`)
  })
  syncBuiltinESMExports()
  const module = `./local.ts?watched=${Math.random()}`
  const { createLocalStorage } = (await import(module)) as { createLocalStorage: (root: string) => Storage }
  return { storage: createLocalStorage(root), steps }
}

it('a document is promised once its bytes, its name and the folders above it are on the disk', async () => {
  const { storage, steps } = await watched()
  await storage.put('faxes/aa/1', Buffer.from('x'))
  steps.push('promised')
  await storage.put('faxes/aa/2', Buffer.from('x'))
  steps.push('promised')
  expect(steps).toEqual([
    'sync root',
    'sync faxes',
    'sync faxes/aa/1.tmp',
    'rename faxes/aa/1.tmp faxes/aa/1',
    'sync faxes/aa',
    'promised',
    'sync faxes/aa/2.tmp',
    'rename faxes/aa/2.tmp faxes/aa/2',
    'sync faxes/aa',
    'promised',
  ])
})

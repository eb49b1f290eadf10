import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Storage } from './storage.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

type Done<T extends unknown[] = []> = (error: Error | null, ...found: T) => void

/** What is watched, as it is called. */
const calls: {
  open: (path: string, flags: string, mode: number, done: Done<[file: number]>) => void
  fsync: (file: number, done: Done) => void
  rename: (from: string, to: string, done: Done) => void
} = fs

/** A storage that reads the functions of the file system while they are watched, and what it asks of the disk. */
async function watched() {
  const root = await mkdtemp(join(tmpdir(), 'faxdeck-order-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const steps: string[] = []
  const { open, fsync, rename } = calls
  const files = new Map<number, string>()
  const nameOf = (path: string) => relative(root, path).replace(/\.[0-9a-f]{12}\.tmp$/, '.tmp') || 'root'
  vi.spyOn(calls, 'open').mockImplementation((path, flags, mode, done) => {
    open(path, flags, mode, (error, file) => {
      files.set(file, nameOf(path))
      done(error, file)
    })
  })
  vi.spyOn(calls, 'fsync').mockImplementation((file, done) => {
    fsync(file, (error) => {
      steps.push(`sync ${files.get(file)}`)
      done(error)
    })
  })
  vi.spyOn(calls, 'rename').mockImplementation((from, to, done) => {
    rename(from, to, (error) => {
      steps.push(`rename ${nameOf(from)} ${nameOf(to)}`)
      done(error)
    })
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

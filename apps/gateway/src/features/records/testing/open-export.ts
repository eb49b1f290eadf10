import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { expect, onTestFinished } from 'vitest'
import type { GatewayContext } from '../../../base/context.ts'
import { exportRecords } from '../feature.ts'

interface Manifest {
  export: string
  counts: Record<string, number>
  files: { path: string; bytes: number; sha256: string }[]
  documents_not_included: { path: string; why: string }[]
  received_with_similar_number_left_out: number
}

/** Whether the reader of zips is installed that has nothing of ours in it. */
export function findUnzip(): boolean {
  try {
    execFileSync('unzip', ['-v'])
    return true
  } catch {
    return false
  }
}

/** The zip as `unzip` sees it: every checksum is tested, and the names are counted. */
async function namesByUnzip(zip: Buffer): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-records-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'records.zip')
  await writeFile(path, zip)
  execFileSync('unzip', ['-tq', path])
  return execFileSync('unzip', ['-Z1', path], { maxBuffer: 1e8 }).toString().trim().split('\n')
}

/** Exports, opens the zip with other readers, and checks every file against the manifest. */
export async function openExport(context: GatewayContext, kind: 'number' | 'person', subject: string) {
  const { content } = await exportRecords(context, { kind, subject, reason: 'Request of access' }, 'bootstrap')
  const zip = await buffer(content as Readable)
  const files = unzipSync(zip)
  const text = (path: string) => Buffer.from(files[path] ?? '').toString()
  const manifest = JSON.parse(text('manifest.json')) as Manifest
  const names = Object.keys(files)
  expect([...manifest.files.map(({ path }) => path), 'manifest.json'].toSorted()).toEqual(names.toSorted())
  for (const { path, bytes, sha256 } of manifest.files) {
    const file = files[path] ?? Buffer.alloc(0)
    expect([path, file.length, createHash('sha256').update(file).digest('hex')]).toEqual([path, bytes, sha256])
  }
  if (findUnzip()) expect((await namesByUnzip(zip)).toSorted()).toEqual(names.toSorted())
  const trail = names.filter((name) => name.startsWith('audit-trail/')).flatMap((name) => text(name).trim().split('\n'))
  const entries = trail.map((line) => JSON.parse(line) as { event: string; job_id: string | null })
  return { zip, names, text, manifest, entries, all: names.map((name) => `${name}\n${text(name)}`).join('\n') }
}

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findUnzip } from '../../../features/records/testing/open-export.ts'
import { ZipWriter } from './zip-writer.ts'

it.skipIf(!findUnzip())(
  'has more files than a zip without Zip64 can list, and another reader finds them all',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'faxdeck-zip-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const zip = new ZipWriter()
    const parts: Buffer[] = []
    const at = new Date('2026-11-24T12:00:00.000Z')
    for (let n = 0; n < 66_000; n++)
      parts.push(...(await zip.add(`sent/größe-${n}.txt`, Buffer.from(`${n}`), at, true)))
    parts.push(...zip.end())
    const path = join(directory, 'many.zip')
    await writeFile(path, Buffer.concat(parts))
    execFileSync('unzip', ['-tqq', path])
    const names = execFileSync('unzip', ['-Z1', path], { maxBuffer: 1e8 }).toString().trim().split('\n')
    expect(names).toHaveLength(66_000)
    expect(execFileSync('unzip', ['-p', path, 'sent/*-65999.txt']).toString()).toBe('65999')
  },
)

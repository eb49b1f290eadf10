import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimDirectory } from './claim.ts'
import { freshDirectory } from './testing/fresh-directory.ts'

const claimModule = new URL('./claim.ts', import.meta.url).href

async function claimInAnotherProcess(directory: string) {
  const script = `const { claimDirectory } = await import(${JSON.stringify(claimModule)})
    globalThis.claim = await claimDirectory(${JSON.stringify(directory)}); console.log('claimed'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

describe('claimDirectory', () => {
  it('refuses a directory that another process uses, by name, and takes it when that process was killed', async () => {
    const directory = await freshDirectory()
    const child = await claimInAnotherProcess(directory)
    await expect(claimDirectory(directory)).rejects.toThrow(`in use by process ${child.pid ?? 0}. Stop that gateway`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const unclaim = await claimDirectory(directory)
    await expect(claimDirectory(directory)).rejects.toThrow(`in use by process ${process.pid}`)
    unclaim()
  })

  it('can be made again once it was given back, and clears what earlier versions claimed with', async () => {
    const directory = await freshDirectory()
    await writeFile(join(directory, 'in-use-by'), `${process.ppid} 1`)
    for (let times = 0; times < 2; times += 1) (await claimDirectory(directory))()
    expect(await readdir(directory)).toEqual(['calls.db.lock'])
  })
})

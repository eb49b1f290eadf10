import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimDirectory } from './claim.ts'
import { freshDirectory } from './testing/fresh-directory.ts'

const claimModule = new URL('./claim.ts', import.meta.url).href

async function claimInAnotherProcess(directory: string) {
  const script = `const { claimDirectory } = await import(${JSON.stringify(claimModule)})
    await claimDirectory(${JSON.stringify(directory)}); console.log('claimed'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

describe('claimDirectory', () => {
  it('refuses a directory that another process uses, by name, and takes it when that process was killed', async () => {
    const directory = await freshDirectory()
    const child = await claimInAnotherProcess(directory)
    await expect(claimDirectory(directory)).rejects.toThrow(`in use by process ${child.pid ?? 0}`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await claimDirectory(directory)
    expect(await readFile(join(directory, 'in-use-by'), 'utf8')).toContain(String(process.pid))
  })

  it('leaves nothing behind when it is given back', async () => {
    const directory = await freshDirectory()
    const unclaim = await claimDirectory(directory)
    await unclaim()
    expect(await readdir(directory)).toEqual([])
  })

  it('is not put off by the same pid of an earlier process, nor by an unreadable claim', async () => {
    const directory = await freshDirectory()
    for (const stale of [`${process.ppid} 1`, 'no process', '']) {
      await writeFile(join(directory, 'in-use-by'), stale)
      await (
        await claimDirectory(directory)
      )()
    }
  })
})

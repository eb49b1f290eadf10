import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Check, Finding, Host } from '@faxdeck/provider-kit'

export const testlineChecks: readonly Check[] = [
  {
    name: 'memory_writable',
    severity: 'critical',
    hint: 'The test line cannot write its memory: make the data directory writable for the gateway and free some disk space.',
    run: (_settings, host) => tryToWrite(host),
  },
]

async function tryToWrite({ directory }: Host): Promise<Finding> {
  const path = join(directory, 'check.tmp')
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(path, 'x')
    await rm(path, { force: true })
    return { passed: true }
  } catch (error) {
    return { passed: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

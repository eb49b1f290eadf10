import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, fileFault, type Finding, type Host } from '@faxdeck/provider-kit'

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
    await writeFile(path, 'x')
    await rm(path, { force: true })
    return { passed: true }
  } catch (error) {
    const fault = fileFault(error, 'The folder of the test line')
    return fault ?? { passed: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

import { chmodSync, mkdtempSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AsteriskProgram } from './install.ts'

/**
 * One program as a package would have installed it, for whoever looks for one by its path: the unpacked Asterisk needs a
 * loader and libraries of its own, which a script of this folder names.
 */
export function asProgram({ command, modules, data }: AsteriskProgram): { path: string; directory: string } {
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-asterisk-program-'))
  for (const part of ['sbin', 'lib/asterisk', 'share']) mkdirSync(join(directory, part), { recursive: true })
  symlinkSync(modules, join(directory, 'lib/asterisk/modules'))
  symlinkSync(data, join(directory, 'share/asterisk'))
  const path = join(directory, 'sbin/asterisk')
  writeFileSync(path, `#!/bin/sh\nexec ${command.map((part) => `'${part}'`).join(' ')} "$@"\n`)
  chmodSync(path, 0o755)
  return { path, directory }
}

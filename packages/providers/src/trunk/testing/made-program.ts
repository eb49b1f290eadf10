import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freshFolder } from '@faxdeck/provider-kit/testing/recording-host'
import { neededModules } from '../config/engine-conf.ts'

/** A program as `writeProgram` makes it, in a folder of the running test. */
export const madeProgram = async (version?: string, without?: readonly string[]): Promise<string> =>
  writeProgram(await freshFolder(), version, without)

/**
 * Writes a program where Asterisk would be, with the names of its modules beside it. It says its version and ends at once
 * otherwise: what a machine does whose Asterisk does not start.
 */
export async function writeProgram(
  folder: string,
  version = '22.1.0',
  without: readonly string[] = [],
): Promise<string> {
  const modules = join(folder, 'lib/asterisk/modules')
  await mkdir(modules, { recursive: true })
  await mkdir(join(folder, 'sbin'))
  for (const name of neededModules({ srtp: true }).filter((each) => !without.includes(each)))
    await writeFile(join(modules, `${name}.so`), '')
  const path = join(folder, 'sbin/asterisk')
  await writeFile(path, `#!/bin/sh\n[ "$1" = -V ] && echo "Asterisk ${version}" && exit\nexit 1\n`)
  await chmod(path, 0o755)
  return path
}

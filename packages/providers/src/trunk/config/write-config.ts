import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathFault } from '@faxdeck/provider-kit'
import type { LinePlan } from '../plan.ts'
import { extensionsConf, faxdeckConf } from './dialplan.ts'
import { engineConfs, engineFolders, type EnginePlaces, type ManagerAccess } from './engine-conf.ts'
import { pjsipConf, transportConf } from './pjsip-conf.ts'

export type ConfigFiles = Readonly<Record<string, string>>

const authorities = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem']

/**
 * The whole configuration, by file name.
 * @param directory of the line, which the dialplan shares with us
 * @throws {Error} when a path or a value cannot stand in a configuration file
 */
export function configOf(plan: LinePlan, directory: string, places: EnginePlaces, access: ManagerAccess): ConfigFiles {
  // Such a line would be up, and lose every fax that it receives.
  const fault = pathFault(directory)
  if (fault !== undefined) throw new Error(fault)
  return {
    ...engineConfs(plan, places, access),
    'pjsip-transport.conf': transportConf(plan, plan.authority ?? authorities.find(existsSync)),
    'pjsip.conf': pjsipConf(plan),
    'extensions.conf': extensionsConf(plan),
    'faxdeck.conf': faxdeckConf(plan, directory),
  }
}

/** What a running Asterisk takes in without a restart. */
const reloadable = new Set(['extensions.conf', 'faxdeck.conf', 'pjsip.conf', 'res_fax.conf'])

/** Distinguishes configurations: `whole` by everything, `fixed` by what needs a restart. */
export function marksOf(files: ConfigFiles): { whole: string; fixed: string } {
  const mark = (names: readonly string[]) => {
    const hash = createHash('sha256')
    for (const name of [...names].sort()) hash.update(`${name}\0${files[name] ?? ''}\0`)
    return hash.digest('hex')
  }
  const names = Object.keys(files)
  return { whole: mark(names), fixed: mark(names.filter((name) => !reloadable.has(name))) }
}

/** Writes it for our user alone; each file appears whole. The path of the main file. */
export async function writeConfig({ directory, run }: EnginePlaces, files: ConfigFiles): Promise<string> {
  for (const folder of [...engineFolders.map((name) => join(directory, name)), run]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, 'etc', name)
    await writeFile(`${path}.part`, text, { mode: 0o600 })
    await rename(`${path}.part`, path)
  }
  return mainFile(directory)
}

export const mainFile = (directory: string): string => join(directory, 'etc/asterisk.conf')

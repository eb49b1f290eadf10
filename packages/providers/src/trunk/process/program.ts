import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { neededModules } from '../config/engine-conf.ts'

/** An Asterisk that can be started, and where its parts lie. */
export interface AsteriskProgram {
  path: string
  modules: string
  data: string
}

/** Older ones get no security fixes any more. */
const oldestMajor = 20
const usualPlaces = [
  '/usr/sbin/asterisk',
  '/usr/local/sbin/asterisk',
  '/usr/bin/asterisk',
  '/opt/asterisk/sbin/asterisk',
]
const triplets = ['x86_64-linux-gnu', 'aarch64-linux-gnu', 'arm-linux-gnueabihf']
const versionWithinMs = 5000

const howToInstall =
  'Install it with "apt install asterisk" (Debian, Ubuntu; Debian 13 or newer, Ubuntu 24.04 or newer), "dnf install asterisk asterisk-pjsip asterisk-fax" with EPEL (RHEL), or "apk add asterisk asterisk-fax" (Alpine).'

/**
 * Finds Asterisk and looks whether the modules that a fax needs are there.
 * @param named path of the program, where it is set
 * @returns the program, or one sentence saying what is missing and how to get it
 */
export function findAsterisk(named: string | null, plan?: { srtp: boolean }): AsteriskProgram | string {
  const path = named === null ? usualPlaces.find(mayBeRun) : [named].find(mayBeRun)
  if (path === undefined) {
    return named === null
      ? `Asterisk is not installed. ${howToInstall}`
      : `TRUNK_ASTERISK names ${named}, which cannot be run. Correct the path, or leave it out to use the installed Asterisk.`
  }
  const prefix = join(dirname(path), '..')
  const libraries = [...triplets.map((triplet) => `lib/${triplet}`), 'lib', 'lib64']
  const folders = libraries.map((library) => join(prefix, library, 'asterisk/modules'))
  const modules = folders.find((folder) => existsSync(join(folder, 'res_fax.so')))
  if (modules === undefined) return `The Asterisk at ${path} has no fax module (res_fax). ${howToInstall}`
  const missing = neededModules(plan).filter((name) => !existsSync(join(modules, `${name}.so`)))
  if (missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are'
    return `Asterisk is installed, but ${missing.join(', ')} ${verb} missing in ${modules}. ${howToInstall}`
  }
  return { path, modules, data: join(prefix, 'share/asterisk') }
}

function mayBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** What the program says of itself: `Asterisk 22.10.1`; undefined when it does not run. */
export async function versionOf({ path }: AsteriskProgram): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-V'], { timeout: versionWithinMs, env: { LC_ALL: 'C' } })
    return /^Asterisk (?:certified[/-])?\S+/.exec(stdout.trim())?.[0]
  } catch {
    return undefined
  }
}

/** Why this version cannot be used, as a sentence; nothing when it can, or says nothing that is understood. */
export function versionFault(version: string): string | undefined {
  const major = Number(/(\d+)\./.exec(version)?.[1] ?? oldestMajor)
  return major < oldestMajor ? `${version} is too old: Faxdeck needs Asterisk ${oldestMajor} or newer.` : undefined
}

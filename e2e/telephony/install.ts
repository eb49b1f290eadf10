import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../../scripts/find-browser.mjs'

/** An Asterisk that can be started: the command line, and where its parts lie. */
export interface AsteriskProgram {
  command: readonly [program: string, ...args: string[]]
  modules: string
  data: string
}

/** Not every Debian release has Asterisk; these do, and their archive answers under the machine's own address. */
const suites = ['sid', 'bullseye']
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
const cache = fileURLToPath(new URL('../../.cache/asterisk', import.meta.url))
const triplets: Readonly<Record<string, readonly [triplet: string, loader: string]>> = {
  x64: ['x86_64-linux-gnu', 'ld-linux-x86-64.so.2'],
  arm64: ['aarch64-linux-gnu', 'ld-linux-aarch64.so.1'],
}

/** Asterisk with its fax engine: of this machine, or unpacked into a cache of our own. */
export function findAsterisk(): AsteriskProgram | undefined {
  const names = namesHere()
  return names && (findInstalled(names[0]) ?? findUnpacked(...names))
}

const namesHere = () => (process.platform === 'linux' ? triplets[process.arch] : undefined)

/**
 * Gets Asterisk when there is none: unpacked beside the system, so that nothing of it is installed or started.
 * @returns why there is still none, as a sentence; undefined when there is one
 */
export function installAsterisk(): string | undefined {
  if (findAsterisk()) return undefined
  if (!namesHere()) return 'Asterisk is tried on Linux, amd64 and arm64, only.'
  if (process.getuid?.() !== 0 || !findProgram('apt-get') || !findProgram('dpkg-deb') || !existsSync(keyring)) {
    return 'Asterisk is not installed, and only root with apt on Debian can get it.'
  }
  const uri = archiveAddress()
  if (uri === undefined) return 'Asterisk is not installed, and the sources of apt name no archive.'
  console.log('Getting Asterisk for the tests…')
  for (const suite of suites) {
    if (unpackFrom(suite, uri)) break
  }
  return findAsterisk() ? undefined : 'Asterisk is not installed, and its packages cannot be had here.'
}

function findInstalled(triplet: string): AsteriskProgram | undefined {
  const program = findProgram('asterisk') ?? findProgram('/usr/sbin/asterisk')
  const modules = [`/usr/lib/${triplet}/asterisk/modules`, '/usr/lib/asterisk/modules'].find(hasFaxEngine)
  return program && modules ? { command: [program], modules, data: '/usr/share/asterisk' } : undefined
}

const hasFaxEngine = (modules: string) => existsSync(join(modules, 'res_fax_spandsp.so'))

/** The unpacked program runs through its own loader and libraries, whatever the system's are. */
function findUnpacked(triplet: string, loader: string): AsteriskProgram | undefined {
  const lib = join(cache, 'usr/lib')
  const places = [join(lib, triplet, 'asterisk/modules'), join(lib, 'asterisk/modules')]
  const modules = places.find(hasFaxEngine)
  const ld = [join(cache, 'usr/lib64', loader), join(lib, triplet, loader), join(lib, loader)].find(existsSync)
  if (!modules || !ld) return undefined
  const libraries = [join(lib, triplet), lib, join(lib, 'asterisk')].join(':')
  const command = [ld, '--library-path', libraries, join(cache, 'usr/sbin/asterisk')] as const
  return { command, modules, data: join(cache, 'usr/share/asterisk') }
}

/** The first archive of the machine's own apt, security updates left out. */
function archiveAddress(): string | undefined {
  const folder = '/etc/apt/sources.list.d'
  const more = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
  const lines = ['/etc/apt/sources.list', ...more]
    .filter(existsSync)
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  const named = lines.filter((line) => /^(deb |uris:)/i.test(line.trim()))
  return named.flatMap((line) => /https?:\/\/\S+/.exec(line) ?? []).find((uri) => !uri.includes('security'))
}

/** Unpacks Asterisk and the libraries it needs from one suite, with an apt whose state is all its own. */
function unpackFrom(suite: string, uri: string): boolean {
  const work = `${cache}.${process.pid}`
  try {
    for (const part of [
      'lists/partial',
      'archives/partial',
      'root/usr/lib',
      'root/usr/lib64',
      'root/usr/bin',
      'root/usr/sbin',
    ])
      mkdirSync(join(work, part), { recursive: true })
    writeFileSync(join(work, 'status'), '')
    writeFileSync(join(work, 'sources.list'), `deb [signed-by=${keyring}] ${uri} ${suite} main\n`)
    writeFileSync(join(work, 'apt.conf'), aptSettings(work))
    const apt = (...args: string[]) =>
      run('apt-get', ['-qq', ...args], join(work, 'archives'), { APT_CONFIG: join(work, 'apt.conf') })
    if (apt('update') === undefined) return false
    const plan = apt('-s', 'install', 'asterisk', 'asterisk-modules')
    const packages = [...(plan ?? '').matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name.replace(/:.*/, ''))
    const needed = packages.filter((name) => /^(asterisk|asterisk-modules|lib.+|zlib1g)$/.test(name))
    if (needed.length === 0 || apt('download', ...needed) === undefined) return false
    return unpack(work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const aptSettings = (work: string) => `
Dir::Etc::sourcelist "${work}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "${work}";
Dir::State::status "${work}/status";
Dir::Cache "${work}";
Dir::Log "${work}";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
`

function unpack(work: string): boolean {
  const root = join(work, 'root')
  // Packages of the merged layout rely on these links.
  for (const name of ['lib', 'lib64', 'bin', 'sbin']) symlinkSync(`usr/${name}`, join(root, name))
  for (const name of readdirSync(join(work, 'archives')).filter((file) => file.endsWith('.deb'))) {
    if (run('dpkg-deb', ['-x', join(work, 'archives', name), root], work) === undefined) return false
  }
  mkdirSync(join(cache, '..'), { recursive: true })
  rmSync(cache, { recursive: true, force: true })
  try {
    renameSync(root, cache)
  } catch {
    cpSync(root, cache, { recursive: true, verbatimSymlinks: true })
  }
  return true
}

/** What a program printed; undefined when it failed. */
function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): string | undefined {
  const { status, stdout } = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

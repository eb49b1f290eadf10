import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findProgram } from '../../find-browser.mjs'
import { repositoryRoot } from '../../repository.mjs'

const suite = 'trixie'
const packages = [
  'systemd-sysv',
  'dbus',
  'sudo',
  'adduser',
  'init-system-helpers',
  'libstdc++6',
  'curl',
  'procps',
  'openssl',
  'ca-certificates',
]

/** Why no Debian can be booted here; nothing where one can. */
export function whyNotBootable(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can boot a container'
  const missing = ['debootstrap', 'systemd-nspawn', 'nsenter', 'dpkg-deb'].filter((name) => !findProgram(name))
  return missing.length > 0 ? `${missing.join(' and ')} are not installed` : undefined
}

/** A fresh Debian in a folder, fetched from its mirror once. */
function freshRoot(): string {
  const kept = join(repositoryRoot, '.cache/roots', suite)
  if (!existsSync(kept)) {
    const unfinished = `${kept}.${process.pid}`
    mkdirSync(unfinished, { recursive: true })
    const words = ['--variant=minbase', `--include=${packages.join(',')}`, suite, unfinished]
    execFileSync('debootstrap', words, { stdio: ['ignore', 'ignore', 'inherit'] })
    renameSync(unfinished, kept)
  }
  const root = mkdtempSync(join(tmpdir(), 'faxdeck-root-'))
  execFileSync('cp', ['-a', `${kept}/.`, root])
  appendFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost fax-test ${hostname()}\n`)
  return root
}

/** What a command said, and its exit code. */
export interface Ran {
  code: number | null
  output: string
}

/** A Debian that is booted, without a network. */
export interface BootedRoot {
  /** Its folder, as seen from here. */
  root: string
  /** Runs a line of shell as root, in /root. */
  run: (line: string) => Ran
  stop: () => Promise<void>
}

/** Whom systemd-nspawn has started: the container's process 1. */
const childOf = (pid: number | undefined) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => existsSync(`/proc/${name}/stat`) && statOf(name).parent === pid)

function statOf(pid: string): { parent: number | undefined } {
  try {
    // The name of the program, in parentheses, may have spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { parent: Number(fields[1]) }
  } catch {
    return { parent: undefined }
  }
}

/**
 * Boots a fresh Debian with systemd.
 * @param more options of systemd-nspawn
 * @throws when it is not up in two minutes
 */
export async function bootRoot(more: readonly string[] = []): Promise<BootedRoot> {
  const root = freshRoot()
  const boot = [
    '--boot',
    `--directory=${root}`,
    '--hostname=fax-test',
    `--machine=fax-test-${process.pid}-${Date.now()}`,
  ]
  // It asks nothing of a systemd outside, which need not be there.
  const alone = [
    '--keep-unit',
    '--register=no',
    '--private-network',
    '--link-journal=no',
    '--quiet',
    '--resolv-conf=off',
  ]
  const container = spawn('systemd-nspawn', [...boot, ...alone, ...more], {
    env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    stdio: 'ignore',
  })
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    DEBIAN_FRONTEND: 'noninteractive',
  }
  const run = (line: string): Ran => {
    const enter = [`--target=${childOf(container.pid) ?? ''}`, '--all', '--wdns=/root', 'sh', '-c', line]
    const { status, stdout, stderr } = spawnSync('nsenter', enter, { env, encoding: 'utf8', timeout: 300_000 })
    return { code: status, output: stdout + stderr }
  }
  const stop = async () => {
    const ended = once(container, 'exit')
    // With process 1 of the container ends everything in it.
    process.kill(Number(childOf(container.pid) ?? container.pid), 'SIGKILL')
    await ended
    execFileSync('rm', ['-rf', '--one-file-system', root])
  }
  for (let tries = 0; tries < 240; tries += 1) {
    await delay(500)
    const state = childOf(container.pid) === undefined ? '' : run('systemctl is-system-running').output.trim()
    if (state === 'running' || state === 'degraded') return { root, run, stop }
  }
  await stop()
  throw new Error('Debian did not boot in two minutes.')
}

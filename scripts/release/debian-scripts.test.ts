import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { repositoryRoot as root } from '../repository.mjs'

const shipped = (name: string) => readFileSync(join(root, 'packaging/debian', name), 'utf8')

/** A machine in a folder: what a script finds below /run, /etc and /var is there, and systemd notes what it is asked for. */
function machine() {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-debian-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const each of ['bin', 'run/systemd/system', 'etc/faxdeck']) mkdirSync(join(folder, each), { recursive: true })
  const program = (name: string, does: string) =>
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${does}\n`, { mode: 0o755 })
  program('deb-systemd-invoke', `echo "$*" >> ${folder}/asked`)
  for (const name of ['systemctl', 'deb-systemd-helper', 'getent', 'install']) program(name, 'exit 0')
  const here = (text: string) => text.replaceAll(/\/(run|etc|var)\//g, `${folder}/$1/`)
  const run = (name: string, ...args: string[]) =>
    execFileSync('sh', ['-c', here(shipped(name)), name, ...args], {
      env: { PATH: `${folder}/bin:/usr/bin:/bin` },
    }).toString()
  const asked = () => {
    const lines = existsSync(join(folder, 'asked'))
      ? readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')
      : []
    rmSync(join(folder, 'asked'), { force: true })
    return lines
  }
  return { folder, here, run, asked }
}

describe('the scripts of the Debian package', () => {
  it('keep the socket during an upgrade, and let a connection start the service only after it', async () => {
    const { folder, here, run, asked } = machine()
    run('prerm', 'upgrade', '2.0.0')
    expect(asked()).toEqual(['stop faxdeck.service'])

    // What systemd does for a connection meanwhile.
    const [, before = ''] = /^ExecStartPre=\/bin\/sh -c '(.*)'$/m.exec(shipped('faxdeck.service')) ?? []
    const start = spawn('sh', ['-c', `${here(before)}; echo started`], { stdio: ['ignore', 'pipe', 'ignore'] })
    const output: string[] = []
    start.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text))
    // As the old package does once the new files are there.
    run('postrm', 'upgrade', '2.0.0')
    expect([existsSync(join(folder, 'run/faxdeck-upgrade')), output]).toEqual([true, []])
    run('postinst', 'configure', '1.0.0')
    await once(start, 'close')
    expect(output).toEqual(['started\n'])
    expect(asked()).toEqual(['start faxdeck.socket', 'restart faxdeck.service'])
  })

  it('start the service again after an upgrade that did not come about', () => {
    const { folder, run, asked } = machine()
    run('prerm', 'upgrade', '2.0.0')
    run('postinst', 'abort-upgrade', '2.0.0')
    expect(existsSync(join(folder, 'run/faxdeck-upgrade'))).toBe(false)
    expect(asked().at(-1)).toBe('restart faxdeck.service')
  })

  it('close the socket before the package is removed', () => {
    const { folder, run, asked } = machine()
    run('prerm', 'remove')
    expect(asked()).toEqual(['stop faxdeck.socket', 'stop faxdeck.service'])
    expect(existsSync(join(folder, 'run/faxdeck-upgrade'))).toBe(false)
  })

  it('purge what the package made, with links of systemctl, and leave the backups that somebody else made', () => {
    const { folder, run } = machine()
    const wants = join(folder, 'etc/systemd/system/sockets.target.wants')
    const backups = join(folder, 'var/backups/faxdeck')
    for (const each of [wants, `${backups}/before-upgrade-from-1.0.0`, `${backups}/2026-11-26`])
      mkdirSync(each, { recursive: true })
    mkdirSync(join(folder, 'var/lib/faxdeck'), { recursive: true })
    symlinkSync('/usr/lib/systemd/system/faxdeck.socket', join(wants, 'faxdeck.socket'))
    expect(run('postrm', 'purge')).toContain('your own backups stay in')
    expect([wants, backups, join(folder, 'var/lib'), join(folder, 'etc')].map((each) => readdirSync(each))).toEqual([
      [],
      ['2026-11-26'],
      [],
      ['systemd'],
    ])
    rmSync(join(backups, '2026-11-26'), { recursive: true })
    expect(run('postrm', 'purge')).toBe('')
    expect(existsSync(backups)).toBe(false)
  })
})

describe('the command line of the Debian package', () => {
  it('has the settings of the service, as systemd reads them', () => {
    const { folder, here } = machine()
    const lines = [
      '# DATABASE_URL=postgres://comment',
      'DATABASE_URL=postgres://faxdeck:pass#word@127.0.0.1/faxdeck',
      'S3_BUCKET="faxes of the clinic"',
      "S3_PREFIX='$HOME/'",
      'PORT=8081',
      'export HOST=::',
      'FAXDECK_MASTER_KEY=without-an-end-of-line',
    ]
    writeFileSync(join(folder, 'etc/faxdeck/faxdeck.env'), lines.join('\n'))
    const script = here(shipped('faxdeck')).replace(/^exec .*$/m, 'exec env')
    const env = { PATH: '/usr/bin:/bin', PORT: '9000' }
    const seen = execFileSync('sh', ['-c', script, 'faxdeck'], { env }).toString().split('\n')
    const settings = seen.filter((line) => /^(DATABASE_URL|S3_|PORT|HOST|FAX)/.test(line)).toSorted()
    expect(settings).toEqual([
      'DATABASE_URL=postgres://faxdeck:pass#word@127.0.0.1/faxdeck',
      'FAXDECK_MASTER_KEY=without-an-end-of-line',
      `FAX_DATA_DIR=${folder}/var/lib/faxdeck`,
      'PORT=9000',
      'S3_BUCKET=faxes of the clinic',
      'S3_PREFIX=$HOME/',
    ])
  })
})

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { repositoryRoot as root } from '../repository.mjs'

const shipped = (name: string) => readFileSync(join(root, 'packaging/debian', name), 'utf8')

/** A machine in a folder: what a script finds below /run and /etc is there, and systemd notes what it is asked for. */
function machine() {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-debian-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const each of ['bin', 'run/systemd/system', 'etc/faxdeck']) mkdirSync(join(folder, each), { recursive: true })
  const program = (name: string, does: string) =>
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${does}\n`, { mode: 0o755 })
  program('deb-systemd-invoke', `echo "$*" >> ${folder}/asked`)
  for (const name of ['systemctl', 'deb-systemd-helper', 'getent', 'install']) program(name, 'exit 0')
  const here = (text: string) => text.replaceAll(/\/(run|etc)\//g, `${folder}/$1/`)
  const run = (name: string, ...args: string[]) =>
    execFileSync('sh', ['-c', here(shipped(name)), name, ...args], { env: { PATH: `${folder}/bin:/usr/bin:/bin` } })
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
      'FAX_DATA_DIR=/var/lib/faxdeck',
      'PORT=9000',
      'S3_BUCKET=faxes of the clinic',
      'S3_PREFIX=$HOME/',
    ])
  })
})

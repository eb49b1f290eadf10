import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { repositoryRoot as root } from '../repository.mjs'
import { layOutCommandLine } from './command-line-package.mjs'
import { layOutGateway } from './gateway-package.mjs'
import { pack } from './lay-out.mjs'
import { currentVersion } from './versions.mjs'

const isLong = Boolean(process.env['FAXDECK_LONG'])
const version = currentVersion(root)

/** The tarballs of the gateway and of the command line, each installed where nothing is. */
async function install(place: string) {
  for (const name of ['gateway', 'command-line', 'tarballs']) mkdirSync(join(place, name))
  await layOutGateway(root, { version, folder: join(place, 'gateway') })
  await layOutCommandLine(root, { version, folder: join(place, 'command-line') })
  const tarballs = join(place, 'tarballs')
  await pack(join(place, 'gateway'), tarballs)
  await pack(join(place, 'command-line'), tarballs)
  for (const name of ['faxdeck-gateway', 'faxdeck-cli']) {
    const tarball = join(tarballs, `${name}-${version}.tgz`)
    const where = ['--global', `--prefix=${join(place, name)}`, `--cache=${join(place, 'cache')}`]
    execFileSync('npm', ['install', ...where, '--no-audit', '--no-fund', tarball], { cwd: place, stdio: 'pipe' })
  }
  return { server: join(place, 'faxdeck-gateway/bin'), client: join(place, 'faxdeck-cli/bin') }
}

describe.skipIf(!isLong)('the packages of npm, installed from their tarballs into empty folders', () => {
  it('serve the console and the guides, deliver a fax and make a backup', { timeout: 900_000 }, async () => {
    const place = mkdtempSync(join(tmpdir(), 'faxdeck-install-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    const { server, client } = await install(place)
    const env = { PATH: process.env.PATH ?? '', HOME: place, PORT: '0' }
    const gateway = spawn(join(server, 'faxdeck-gateway'), { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void gateway.kill('SIGKILL'))
    let printed = ''
    gateway.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    await expect.poll(() => printed).toContain('Ctrl-C stops it.')
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? ''
    for (const path of ['/admin-demo/', '/docs/latest/install/', '/docs/latest/setup/sinch/']) {
      expect((await fetch(url + path)).status, path).toBe(200)
    }

    const key = readFileSync(join(place, 'faxdata/bootstrap-key'), 'utf8').trim()
    writeFileSync(join(place, 'letter.txt'), 'Hello from a tarball')
    const run = (folder: string, ...args: string[]) => {
      const own = { ...env, FAXDECK_URL: url, FAXDECK_API_KEY: key }
      return execFileSync(join(folder, 'faxdeck'), args, { cwd: place, env: own }).toString()
    }
    expect(run(client, '--version')).toContain(version)
    run(client, 'send', 'letter.txt', '+15555550123', '--wait')
    expect(run(client, 'jobs')).toContain('SUCCESS')
    expect(() => run(client, 'backup', 'kept')).toThrow('this command line came without the gateway')
    run(server, 'backup', 'kept')
    expect(readdirSync(join(place, 'kept'))).toContain('manifest.json')
    gateway.kill('SIGTERM')
    expect(await once(gateway, 'close')).toEqual([0, null])
  })
})

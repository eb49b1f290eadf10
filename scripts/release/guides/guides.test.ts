import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { oldInstallation } from '../../../apps/gateway/src/upkeep/import/testing/old-installation.ts'
import { repositoryRoot } from '../../repository.mjs'
import { writeDebianPackage } from '../debian-package.mjs'
import { layOutGateway } from '../gateway-package.mjs'
import { currentVersion } from '../versions.mjs'
import { bootRoot, type BootedRoot, whyNotBootable } from './booted-root.ts'
import { commandsOf, type GuideCommand } from './guide-commands.ts'
import { guides, notPlayed, played } from './played.ts'

const isLong = process.env['FAXDECK_LONG'] !== undefined
const obstacle = isLong ? whyNotBootable() : 'it takes minutes'
const [older, newer] = ['0.9.0', currentVersion(repositoryRoot)]
const data = '/var/lib/faxdeck'

describe('the guides', () => {
  const nameOf = ({ guide, text }: Pick<GuideCommand, 'guide' | 'text'>) => `${guide}: ${text}`
  const all = guides.flatMap(commandsOf)

  it('have no command that is neither played nor left out for a reason', () => {
    const known = new Set(Object.values(played).flat().map(nameOf))
    const isKnown = (each: GuideCommand) => known.has(nameOf(each)) || Object.hasOwn(notPlayed, each.text)
    expect(all.filter((each) => !isKnown(each)).map(nameOf)).toEqual([])
    expect(all.length).toBeGreaterThan(50)
  })

  it('are where the disaster exercise takes its commands from', () => {
    const texts = all.map(({ text }) => text)
    expect(commandsOf('exercise').filter(({ text }) => !texts.includes(text))).toEqual([])
    expect(commandsOf('exercise').length).toBeGreaterThan(5)
  })

  it('still have every command that is left out for a reason', () => {
    expect(Object.keys(notPlayed).filter((text) => !all.some((each) => each.text === text))).toEqual([])
  })
})

/** Packages of this version and of one that calls itself older. */
async function buildPackages(place: string): Promise<void> {
  for (const name of ['gateway', 'debian', 'older']) mkdirSync(join(place, name))
  const gateway = join(place, 'gateway')
  writeFileSync(join(gateway, 'THIRD-PARTY-LICENSES.txt'), '')
  await layOutGateway(repositoryRoot, { version: newer, folder: gateway })
  await writeDebianPackage(repositoryRoot, { version: newer, gateway, work: join(place, 'debian'), target: place })
  const unpacked = join(place, 'older')
  const deb = (version: string) => join(place, `faxdeck_${version}_amd64.deb`)
  execFileSync('dpkg-deb', ['--raw-extract', deb(newer), unpacked])
  const control = join(unpacked, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(`Version: ${newer}`, `Version: ${older}`))
  // As it was up to 1.2: units in /lib, and a service that counts as started at once.
  mkdirSync(join(unpacked, 'lib/systemd'), { recursive: true })
  renameSync(join(unpacked, 'usr/lib/systemd/system'), join(unpacked, 'lib/systemd/system'))
  const unit = join(unpacked, 'lib/systemd/system/faxdeck.service')
  writeFileSync(unit, readFileSync(unit, 'utf8').replaceAll(/^(Type|NotifyAccess)=.*\n/gm, ''))
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', unpacked, deb(older)])
  const files = [newer, older].map((version) => `faxdeck_${version}_amd64.deb`)
  writeFileSync(join(place, 'SHA256SUMS'), execFileSync('sha256sum', files, { cwd: place }))
}

describe.skipIf(obstacle)('the guides, command by command in a booted Debian', { timeout: 1_200_000 }, () => {
  let place = ''
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'faxdeck-guides-'))
    await buildPackages(place)
  }, 1_200_000)
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  /** A booted machine with the packages in /root. */
  async function machine(options: readonly string[] = []) {
    const booted = await bootRoot(options)
    onTestFinished(booted.stop)
    for (const name of [`faxdeck_${older}_amd64.deb`, `faxdeck_${newer}_amd64.deb`, 'SHA256SUMS'])
      cpSync(join(place, name), join(booted.root, 'root', name))
    return { ...booted, ...hands(booted) }
  }

  function hands({ run }: BootedRoot) {
    const must = (line: string) => {
      const { code, output } = run(line)
      expect(code, `${line}\n${output}`).toBe(0)
      return output
    }
    const given = { version: newer, 'old version': older, date: '2026-11-26', disk: 'loop-disk' }
    /** Each as it stands in the guide, with what it leaves open filled in. */
    const play = (commands: readonly GuideCommand[], as = '', fill: Partial<typeof given> = {}) => {
      const filled = Object.entries({ ...given, ...fill })
      const lines = commands.map(({ text }) =>
        filled.reduce((line, [name, value]) => line.replaceAll(`<${name}>`, value), text),
      )
      return lines.map((line) => must(as + line)).join('')
    }
    const install = async (version: string) => {
      play(played.install, '', { version })
      if (version === older) await isUp()
      return play(played.readKey)
    }
    const isUp = async () => {
      await expect
        .poll(() => run('curl -fsS http://127.0.0.1:8080/health').output, { timeout: 120_000, interval: 500 })
        .toContain('ok')
    }
    const jobs = () => must('sudo -u faxdeck faxdeck jobs')
    return {
      must,
      play,
      install,
      isUp,
      jobs,
      sendFax: () => must('sudo -u faxdeck faxdeck send /etc/hostname +15555550123 --wait'),
      /** What sha256sum says of documents and keys. */
      sums: () => must(`cd ${data} && find documents master-key bootstrap-key -type f | sort | xargs sha256sum`),
      /** Files in the data directory that are not the service's. */
      strangers: () => must(`find ${data} ! -user faxdeck ! -name lost+found`).trim(),
      refused: async () => {
        await expect.poll(() => run('systemctl is-active faxdeck').output, { timeout: 60_000 }).not.toMatch(/^active/)
        return must('journalctl --unit faxdeck --no-pager --output cat')
      },
    }
  }

  it('install, upgrade without refusing requests, go back to an older version, remove', async () => {
    const { run, must, play, install, isUp, jobs, sendFax, sums, strangers, refused } = await machine()
    play(played.checksums)
    expect(await install(older)).toMatch(/fdk_/)
    play(played.socket)
    await isUp()
    sendFax()
    const before = sums()
    must(`apt install -y ./faxdeck_${newer}_amd64.deb`)
    sendFax()
    expect(play(played.status)).toContain('Serving http://127.0.0.1:8080/')
    expect(must('zcat /usr/share/man/man1/faxdeck.1.gz')).toContain('faxdeck send letter.pdf')
    expect(jobs().match(/SUCCESS/g)).toHaveLength(2)
    expect(must(`cat ${data}/last-backup.json`)).toContain(`/var/backups/faxdeck/before-upgrade-from-${older}`)
    // The newer version has changed a table.
    must('systemctl stop faxdeck.socket faxdeck')
    const change = `require('better-sqlite3')('${data}/faxdeck.db').exec("insert into kysely_migration values ('9001-newer', '2030-01-01T00:00:00Z')")`
    must(
      `cd /usr/lib/faxdeck && sudo -u faxdeck node_modules/.bin/node -e ${JSON.stringify(change).replaceAll('$', '\\$')}`,
    )
    must('systemctl disable faxdeck.socket')

    play(played.goBack.slice(0, 2), 'yes | ')
    expect(await refused()).toContain('This database was used by a newer version of Faxdeck')
    play(played.goBack.slice(2, -1))
    play(played.giveBack)
    play(played.goBack.slice(-1))
    await isUp()
    expect([sums(), strangers(), jobs().match(/SUCCESS/g)]).toEqual([before, '', ['SUCCESS']])

    must('systemctl enable faxdeck.socket && mkdir /var/backups/faxdeck/own')
    play(played.remove, 'yes | ')
    must(`test -e ${data}/faxdeck.db`)
    play(played.purge, 'yes | ')
    expect(run(`ls -d ${data} ${data}-state /etc/faxdeck`).output).not.toMatch(/^\//m)
    expect(
      must('find /etc /usr/lib/systemd /var/lib/systemd /var/backups/faxdeck -name "*faxdeck*" ! -path /etc/hosts'),
    ).toBe('/var/backups/faxdeck\n')
    expect(must('ls /var/backups/faxdeck')).toBe('own\n')
  })

  it('back up, restore on a new machine and on a new disk, begin anew', async () => {
    const first = await machine()
    await first.install(newer)
    first.sendFax()
    const before = first.sums()
    first.play(played.backup)
    expect(first.play(played.doctor, 'sudo -u faxdeck ')).toContain('in /var/backups/faxdeck/2026-11-26 (')
    expect(first.must('curl -fsS http://127.0.0.1:8080/metrics')).toMatch(
      /^faxdeck_backup_age_seconds\{complete="true"\} \d/m,
    )

    const disk = join(place, 'disk')
    execFileSync('truncate', ['--size=200M', disk])
    execFileSync('mkfs.ext4', ['-q', disk])
    const device = execFileSync('losetup', ['--find', '--show', disk]).toString().trim()
    onTestFinished(() => void execFileSync('losetup', ['--detach', device]))
    const second = await machine([`--bind=${device}:/dev/loop-disk`])
    cpSync(join(first.root, 'var/backups/faxdeck'), join(second.root, 'var/backups/faxdeck'), { recursive: true })
    const { run, must, play, isUp, jobs, sums, strangers, refused } = second
    play(played.newMachine)
    await isUp()
    play(played.listRestored)
    expect([sums(), strangers(), jobs().match(/SUCCESS/g)]).toEqual([before, '', ['SUCCESS']])

    // As the user of the service, too, where the backup is that user's.
    must(`systemctl stop faxdeck && rm -rf ${data}/* ${data}/.[a-z]*`)
    must(
      'cp -a /var/backups/faxdeck /srv/own && chown -R faxdeck: /srv/own && sudo -u faxdeck faxdeck restore /srv/own/2026-11-26',
    )
    must('systemctl start faxdeck')
    await isUp()
    expect([sums(), strangers()]).toEqual([before, ''])

    must(`systemctl stop faxdeck && rm -rf ${data}`)
    run('systemctl start faxdeck')
    expect(await refused()).toMatch(/This installation had its data in \/var\/lib\/faxdeck, but there is no database/)
    play(played.newDisk)
    await isUp()
    expect(must(`findmnt --noheadings --output FSTYPE ${data}`).trim()).toBe('ext4')
    expect([sums(), strangers(), jobs().match(/SUCCESS/g)]).toEqual([before, '', ['SUCCESS']])
    must('sudo -u faxdeck faxdeck backup /srv/own/of-a-disk')

    must(`systemctl stop faxdeck && umount ${data}`)
    run('systemctl start faxdeck')
    await refused()
    play(played.beginAnew)
    await isUp()
    expect(jobs()).toContain('0 shown')
  })

  it('hold, accept a storage, change keys, import', async () => {
    const { root, run, must, play, install, isUp, jobs, sendFax, refused } = await machine()
    await install(newer)
    sendFax()
    must('systemctl stop faxdeck')
    play(played.hold, 'sudo -u faxdeck ')
    play(played.rotateKey, 'sudo -u faxdeck ')
    expect(play(played.makeKey)).toMatch(/^[0-9a-f]{64}$/m)
    play(played.rotateMasterKey)
    must('systemctl start faxdeck')
    await isUp()
    play(played.listHeld, 'sudo -u faxdeck ')
    expect(jobs()).toContain('SUCCESS')

    must(`systemctl stop faxdeck && rm ${data}/documents/storage-id`)
    run('systemctl start faxdeck')
    expect(await refused()).toContain('accept-storage')
    must('systemctl stop faxdeck')
    play(played.acceptStorage, 'sudo -u faxdeck ')
    must('systemctl start faxdeck')
    await isUp()

    const { folder } = oldInstallation()
    cpSync(folder, join(root, 'srv/old-gateway'), { recursive: true })
    must('systemctl stop faxdeck && chown -R faxdeck: /srv/old-gateway && mkdir -m 0755 /srv/here')
    // Some of what the old gateway has may be left behind, which is told by the exit code.
    const said = (line: string) => expect.soft([0, 3], line).toContain(run(line).code)
    for (const { text } of played.importPlan) said(`cd /srv/here && sudo -u faxdeck ${text} --json`)
    for (const { text } of played.importThere) said(`${text} --yes`)
    must('systemctl start faxdeck')
    await isUp()
    expect(jobs().match(/SUCCESS/g)?.length).toBeGreaterThan(1)
    expect(existsSync(join(root, 'srv/old-gateway'))).toBe(true)
  })
})

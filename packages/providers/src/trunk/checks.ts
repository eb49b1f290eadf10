import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Check, hasValue, needsSettings, notRun, type ProviderSettings } from '@faxdeck/provider-kit'
import { planOf, portsPerCall } from './plan.ts'
import { carrierAnswers, trunkRegistered } from './probe/check-carrier.ts'
import { mayRunInRealTime } from './process/real-time.ts'
import { findAsterisk, type AsteriskProgram, versionFault, versionOf } from './process/program.ts'
import { openAsterisk } from './process/shared-asterisk.ts'

const notInstalled = notRun('Not run: there is no Asterisk that can be used.')

function programOf(settings: ProviderSettings): AsteriskProgram | string {
  const named = typeof settings.trunk_asterisk === 'string' ? settings.trunk_asterisk : null
  return findAsterisk(named, { srtp: settings.trunk_srtp === true })
}

export const trunkChecks: readonly Check[] = [
  {
    name: 'asterisk_installed',
    severity: 'critical',
    hint: 'Faxdeck runs a small Asterisk of its own for the trunk, and cannot: install Asterisk with its fax module, then check again.',
    run: (settings) => {
      const program = programOf(settings)
      if (typeof program === 'string') return { passed: false, instead: { hint: program } }
      return { passed: true, detail: `found at ${program.path}` }
    },
  },
  {
    name: 'asterisk_version',
    severity: 'critical',
    hint: 'The installed Asterisk is too old or does not run: install a version that still gets security updates.',
    run: async (settings) => {
      const program = programOf(settings)
      if (typeof program === 'string') return notInstalled
      const version = await versionOf(program)
      if (version === undefined) return { passed: false, detail: `${program.path} does not run` }
      const fault = versionFault(version)
      return { passed: fault === undefined, detail: fault ?? version }
    },
  },
  {
    name: 'host_resolves',
    severity: 'critical',
    hint: 'The name of the SIP server cannot be looked up: check its spelling, and the DNS of this machine.',
    setting: 'trunk_host',
    run: async (settings) => {
      if (!hasValue(settings, 'trunk_host')) return needsSettings
      const host = String(settings.trunk_host).replace(/:\d{1,5}$/, '')
      if (isIP(host) !== 0) return { passed: true }
      return lookup(host).then(
        ({ address }) => ({ passed: true, detail: address }),
        () => ({ passed: false, detail: `${host} has no address` }),
      )
    },
  },
  {
    name: 'media_ports_suffice',
    severity: 'warning',
    hint: 'There are fewer media ports than the channels need, so fewer calls go at once: widen the range of media ports.',
    setting: 'trunk_media_last',
    run: (settings) => {
      const { trunks, mediaPorts } = planOf(settings)
      const needed = portsPerCall * trunks.reduce((sum, { channels }) => sum + channels, 0)
      const ports = mediaPorts[1] - mediaPorts[0] + 1
      return { passed: ports >= needed, detail: `${ports} ports, ${needed} needed` }
    },
  },
  {
    name: 'unprivileged',
    severity: 'warning',
    hint: 'Faxdeck runs as root, and so does its Asterisk, which talks to the internet: run Faxdeck as a user of its own.',
    run: () => ({ passed: process.getuid?.() !== 0 }),
  },
  {
    name: 'real_time',
    severity: 'warning',
    hint: 'Faxdeck may not run its Asterisk in real time, so faxes over audio can be cut off while this machine is busy: allow it with LimitRTPRIO=20 in the systemd service or --ulimit rtprio=20 in a container, and install chrt (util-linux).',
    run: async () => ({ passed: await mayRunInRealTime() }),
  },
  {
    name: 'asterisk_up',
    severity: 'critical',
    hint: "Faxdeck's Asterisk is not up, so faxes wait and none arrive: see what it says, and the log of the gateway.",
    run: (_settings, { directory }) => {
      const asterisk = openAsterisk(directory)
      if (!asterisk) return notRun('Not run: Faxdeck starts its Asterisk when you apply these settings.')
      if (asterisk.phase === 'up') return { passed: true }
      return { passed: false, ...(asterisk.problem !== undefined && { detail: asterisk.problem }) }
    },
  },
  {
    name: 'trunk_registered',
    severity: 'critical',
    hint: 'The carrier does not accept the registration: check server, user and password, and whether the account is active.',
    setting: 'trunk_password',
    run: trunkRegistered,
  },
  {
    name: 'carrier_answers',
    severity: 'warning',
    hint: 'The carrier does not answer OPTIONS: check the network between this machine and the carrier. Some carriers never answer; then you can ignore this.',
    setting: 'trunk_host',
    run: carrierAnswers,
  },
]

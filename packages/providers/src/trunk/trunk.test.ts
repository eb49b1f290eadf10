import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Line } from '@faxdeck/provider-kit'
import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { freshFolder, RecordingHost } from '@faxdeck/provider-kit/testing/recording-host'
import { afterAll, describe, expect, it } from 'vitest'
import { trunk } from './index.ts'
import { openTrunkLine } from './send.ts'
import { madeProgram, writeProgram } from './testing/made-program.ts'

const account = {
  trunk_host: 'sip.carrier.example',
  trunk_user: 'customer',
  trunk_password: 'p',
}
const defaults = Object.fromEntries(trunk.settings.map((row) => [row.key, row.default]))
// The conformance suite asks for it before any test runs, so that it must outlive them all.
const programFolder = await mkdtemp(join(tmpdir(), 'faxdeck-made-asterisk-'))
const program = await writeProgram(programFolder)
afterAll(() => rm(programFolder, { recursive: true, force: true }))

describeProvider(trunk, {
  settings: account,
  also: { trunk_asterisk: program },
  sending: {
    faults: ['a refused connection'],
    lineWith: async (_fault, settings) => {
      const host = new RecordingHost(await freshFolder())
      const tiffPath = join(host.directory, 'pages.tiff')
      await writeFile(tiffPath, 'pages')
      const line: Line = openTrunkLine(host, settings)
      return { ...line, send: (fax) => line.send({ ...fax, tiffPath }, AbortSignal.timeout(5000)) }
    },
  },
})

describe('what the trunk needs', () => {
  const missing = (settings: object) => trunk.missing({ ...defaults, ...account, ...settings })

  it('is an Asterisk, and where there is none the sentence says how to get one', () => {
    const sentence = missing({ trunk_asterisk: '/nowhere/asterisk' })
    expect(sentence).toContain('TRUNK_ASTERISK names /nowhere/asterisk')
  })

  it('is every module, and the sentence names those that are not there', async () => {
    const sentence = missing({ trunk_asterisk: await madeProgram('22.1.0', ['res_fax_spandsp', 'res_pjsip_t38']) })
    expect(sentence).toContain('res_pjsip_t38, res_fax_spandsp are missing')
    for (const system of ['Debian', 'Ubuntu', 'RHEL', 'Alpine']) expect(sentence).toContain(system)
  })

  it('is no password where the carrier trusts the address', async () => {
    const byAddress = { trunk_user: null, trunk_password: null, trunk_asterisk: await madeProgram() }
    const known = { ...byAddress, trunk_sign_in: 'ip', trunk_numbers: '+15551230001' }
    expect(missing(known)).toBeUndefined()
    expect(missing(byAddress)).toContain('User (TRUNK_USER) and Password (TRUNK_PASSWORD)')
    expect(missing({ ...known, trunk_numbers: null })).toContain('TRUNK_NUMBERS')
  })

  it('is three values: server, user and password', async () => {
    expect(missing({ trunk_numbers: null, trunk_asterisk: await madeProgram() })).toBeUndefined()
  })

  it('bounds the calls at once by channels and ports, whatever another setting says', () => {
    const more = { trunk_more: 'backup host=b.example channels=3' }
    expect(trunk.channels?.({ ...defaults, ...account, ...more })).toBe(5)
    const few = { trunk_channels: 50, trunk_media_first: 20_000, trunk_media_last: 20_039 }
    expect(trunk.channels?.({ ...defaults, ...account, ...few })).toBe(10)
  })
})

describe('the version of Asterisk', () => {
  const check = trunk.checks.find(({ name }) => name === 'asterisk_version')
  const host = new RecordingHost('/nowhere')
  const run = async (version: string) =>
    check?.run({ ...defaults, trunk_asterisk: await madeProgram(version) }, host, AbortSignal.timeout(5000), {
      receiving: true,
    })

  it('passes while it gets security updates, and is named where it does not', async () => {
    expect(await run('22.10.1~dfsg')).toEqual({ passed: true, detail: 'Asterisk 22.10.1~dfsg' })
    expect(await run('16.28.0')).toMatchObject({
      passed: false,
      detail: expect.stringContaining('20 or newer') as string,
    })
  })
})

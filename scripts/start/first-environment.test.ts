import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { providers } from '../../packages/providers/src/registry.ts'
import { writeFirstEnvironment } from './first-environment.mjs'

let folder: string
let data: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdeck-first-'))
  data = join(folder, 'faxdata')
})

afterEach(() => rmSync(folder, { recursive: true }))

const written = (env: Record<string, string>) => {
  writeFirstEnvironment(data, env)
  return readFileSync(join(data, 'faxdeck.env'), 'utf8')
}

describe('the first start', () => {
  it('turns the test line and the inbox on in a file only its owner can read', () => {
    expect(writeFirstEnvironment(data)).toBe(true)
    const file = join(data, 'faxdeck.env')
    expect(readFileSync(file, 'utf8')).toMatch(/^FAX_DISABLED=true\nINBOUND_ENABLED=true$/m)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(data)).toEqual(['faxdeck.env'])
  })

  it.each(['FAX_BACKEND', 'FAX_OUTBOUND_BACKEND', 'FAX_DISABLED'])(
    'leaves the test line to whoever sets %s, and chooses no provider',
    (name) => {
      const text = written({ [name]: 'documo', OTHER: 'x', SINCH_API_KEY: 'k' })
      expect(text).not.toMatch(/^FAX_/m)
      expect(text).toMatch(/^INBOUND_ENABLED=true$/m)
    },
  )

  const complete = {
    documo: { DOCUMO_API_KEY: 'k' },
    freeswitch: { FREESWITCH_ESL_HOST: 'h', FREESWITCH_ESL_PASSWORD: 'p' },
    phaxio: { PHAXIO_API_KEY: 'k', PHAXIO_API_SECRET: 's' },
    signalwire: {
      SIGNALWIRE_SPACE_URL: 'example.signalwire.com',
      SIGNALWIRE_PROJECT_ID: 'p',
      SIGNALWIRE_API_TOKEN: 't',
      SIGNALWIRE_FAX_FROM_E164: '+13035551234',
    },
    sinch: { SINCH_PROJECT_ID: 'p', SINCH_API_KEY: 'k', SINCH_API_SECRET: 's' },
    sip: { ASTERISK_AMI_HOST: '127.0.0.1' },
    trunk: { TRUNK_HOST: 'sip.example.net', TRUNK_USER: 'u', TRUNK_PASSWORD: 'p', TRUNK_NUMBERS: '+13035551234' },
  }

  it('knows a complete account of every provider', () => {
    const ids = providers.filter(({ kind }) => kind !== 'builtin').map(({ id }) => id)
    expect(Object.keys(complete).toSorted()).toEqual(ids.toSorted())
  })

  it.each(Object.entries(complete))('sends through %s where the environment has its account alone', (id, account) => {
    const text = written(account)
    expect(text).not.toMatch(/^FAX_DISABLED/m)
    expect(text).toMatch(new RegExp(`^FAX_BACKEND=${id}$`, 'm'))
  })

  it.each([
    ['phaxio', { PHAXIO_API_KEY: 'k' }],
    ['phaxio', { PHAXIO_API_SECRET: 's' }],
    ['sinch', { SINCH_API_SECRET: 's' }],
  ])('does not replace an incomplete account of %s by the test line', (id, account) => {
    expect(written(account)).toMatch(new RegExp(`^INBOUND_ENABLED=true\n.*\nFAX_BACKEND=${id}$`, 'm'))
  })

  it('prefers the complete one of two accounts, and chooses none of two that are complete', () => {
    expect(written({ ...complete.sinch, PHAXIO_API_KEY: 'k' })).toMatch(/^FAX_BACKEND=sinch$/m)
    rmSync(data, { recursive: true })
    expect(written({ ...complete.sinch, ...complete.documo })).not.toMatch(/^FAX_/m)
  })

  it('is on the test line where the environment has no account, whatever else of a provider it sets', () => {
    const text = written({
      ASTERISK_AMI_PORT: '5039',
      PHAXIO_BASE_URL: 'http://127.0.0.1:9',
      FAX_INBOUND_BACKEND: 'sip',
    })
    expect(text).toMatch(/^FAX_DISABLED=true$/m)
  })

  it('turns it on where the variables are there and empty', () => {
    writeFirstEnvironment(data, { FAX_BACKEND: ' ', PHAXIO_API_KEY: '' })
    expect(readFileSync(join(data, 'faxdeck.env'), 'utf8')).toMatch(/^FAX_DISABLED=true$/m)
  })

  it('leaves a settings file as a person changed it', () => {
    writeFirstEnvironment(data)
    writeFileSync(join(data, 'faxdeck.env'), 'FAX_DISABLED=false\n')
    expect(writeFirstEnvironment(data)).toBe(false)
    expect(readFileSync(join(data, 'faxdeck.env'), 'utf8')).toBe('FAX_DISABLED=false\n')
  })

  it('does not put an installation that has a database onto the test line', () => {
    writeFileSync(join(folder, 'faxdeck.db'), '')
    expect(writeFirstEnvironment(folder)).toBe(false)
    expect(readdirSync(folder)).toEqual(['faxdeck.db'])
  })

  it('says in one sentence that the directory cannot be written', () => {
    writeFileSync(data, 'a file where the directory should be')
    expect(() => writeFirstEnvironment(data)).toThrow(/cannot be written \(ENOTDIR\): make it writable .* FAX_DATA_DIR/)
  })

  it.runIf(existsSync('/proc/self'))('says so too where the system itself refuses', () => {
    expect(() => writeFirstEnvironment('/proc/faxdata')).toThrow(/cannot be written \(ENOENT\)/)
  })
})

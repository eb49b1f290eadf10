import { describe, expect, it } from 'vitest'
import { trunk } from '../index.ts'
import { planOf } from '../plan.ts'
import { type ConfigFiles, configOf, marksOf } from './write-config.ts'

const defaults = Object.fromEntries(trunk.settings.map((row) => [row.key, row.default]))
const account = { trunk_host: 'sip.carrier.example', trunk_user: 'customer', trunk_password: 'p' }
const places = { directory: '/data/engine', run: '/data/engine/run', modules: '/lib/modules', data: '/share' }
const access = { port: 5039, password: 'a'.repeat(64), keeperPassword: 'b'.repeat(64) }

const filesOf = (settings: object): ConfigFiles => {
  const plan = planOf({ ...defaults, ...account, trunk_numbers: '+493012345, +15551230002=ACME FAX', ...settings })
  return configOf(plan, '/data', places, access)
}

interface Entry {
  section: string
  name: string
  value: string
}

/**
 * Reads a file as Asterisk does (config.c): a semicolon begins a comment unless a backslash stands before it, which then
 * goes away; brackets at the beginning of a line open a section; `#` at the beginning is a directive.
 */
function readConf(text: string): Entry[] {
  const entries: Entry[] = []
  let section = ''
  for (const raw of text.split('\n')) {
    const line = raw
      .replace(/(?<!\\);.*$/, '')
      .replaceAll('\\;', ';')
      .trim()
    if (line === '' || /^#include "[\w.-]+"$/.test(line)) continue
    const opened = /^\[([\w-]+)\]$/.exec(line)?.[1]
    if (opened !== undefined) section = opened
    else {
      const [, name, value] = /^([^=]+?)\s*=>?\s*(.*)$/s.exec(line) ?? []
      if (name === undefined || value === undefined || section === '') throw new Error(`Asterisk refuses: ${raw}`)
      entries.push({ section, name, value })
    }
  }
  return entries
}

const valuesOf = (files: ConfigFiles, file: string, section: string) =>
  Object.fromEntries(
    readConf(files[file] ?? '')
      .filter((entry) => entry.section === section)
      .map(({ name, value }) => [name, value]),
  )

const hostile = ['a;b', 'a\\;b', '>x', 'p #exec rm', '[evil]', '${SHELL(id)}', '=x', 'a"b\'c', 'ü%s%n', ';--', '--;']

describe('the configuration of the managed line', () => {
  it('is read whole by Asterisk, under every choice', () => {
    const choices = trunk.settings.flatMap((row) =>
      row.type === 'choice' ? row.choices.map(({ value }) => ({ [row.key]: value })) : [],
    )
    const others = [{ trunk_srtp: true }, { trunk_ecm: false }, { trunk_external_address: '203.0.113.7' }, {}]
    const more = { trunk_more: 'backup host=b.example:5070 user=u numbers=+15551230009 match=198.51.100.0/24' }
    for (const choice of [...choices, ...others, more]) {
      for (const [name, text] of Object.entries(filesOf(choice))) {
        expect(() => readConf(text), name).not.toThrow()
      }
    }
  })

  it.each(hostile)('hands a password on as it is, whatever it holds: %s', (password) => {
    const files = filesOf({ trunk_password: password })
    expect(valuesOf(files, 'pjsip.conf', 'main-auth')).toMatchObject({ username: 'customer', password })
    expect(readConf(files['pjsip.conf'] ?? '').filter(({ section }) => section === 'evil')).toEqual([])
  })

  it.each(hostile)('lets no user name out of its place: %s', (user) => {
    const { client_uri: uri, contact_user: contact } = valuesOf(
      filesOf({ trunk_user: user }),
      'pjsip.conf',
      'main-registration',
    )
    expect(uri).toMatch(/^sip:[\w.!~*'()%+-]+@sip\.carrier\.example$/)
    expect(contact).not.toMatch(/[@;"<>\s]/)
  })

  it.each(['/data (new)', '/data,old', '/data;x', '/data/${SHELL(id)}'])('refuses the data directory %s', (path) => {
    const plan = planOf({ ...defaults, ...account })
    expect(() => configOf(plan, path, places, access)).toThrow('The path of the data directory')
  })

  it('refuses a value that would begin a line of its own', () => {
    expect(() => filesOf({ trunk_password: 'p\n[evil]\ntype=endpoint' })).toThrow('control character')
  })

  it.each([
    ['trunk_numbers', '+15551230001=${SHELL(id)}'],
    ['trunk_numbers', '+15551230001=a,1,System(id)'],
    ['trunk_numbers', '15551230001'],
    ['trunk_host', 'a.example;x=y'],
    ['trunk_host', 'a.example\n[evil]'],
    ['trunk_user', 'a b'],
    ['trunk_more', 'backup host=a.example user=x y'],
    ['trunk_more', 'Backup host=a.example'],
    ['trunk_more', 'backup'],
    ['trunk_more', 'a host=a.example; a host=b.example'],
    ['trunk_more', 'a host=a.example numbers=+1555,evil'],
    ['trunk_caller_ids', '+49=evil'],
    ['trunk_dial_prefix', '9w,1'],
    ['trunk_quiet_hours', '25:00-06:00'],
    ['trunk_bind', '0.0.0.0/0'],
  ])('%s refuses %j with a sentence', (key, value) => {
    const row = trunk.settings.find((each) => each.key === key)
    const fault = row?.type === 'text' ? row.check?.(value) : undefined
    expect(fault).toMatch(/\.$/)
  })

  it('listens with its manager on this machine only, and gives the user that dials the least', () => {
    const files = filesOf({})
    expect(valuesOf(files, 'manager.conf', 'general')).toMatchObject({ bindaddr: '127.0.0.1', port: '5039' })
    expect(valuesOf(files, 'manager.conf', 'faxdeck')).toMatchObject({
      secret: access.password,
      write: 'originate,call',
    })
  })

  it('takes the shipped dialplan without HTTP, and loads nothing that could run a program', () => {
    const files = filesOf({})
    expect(files['faxdeck.conf']).toContain('UserEvent(FaxdeckReceived')
    expect(files['faxdeck.conf']).not.toMatch(/CURL|FAXDECK_SECRET/)
    expect(files['modules.conf']).not.toMatch(/curl|app_system|func_shell|res_agi|pbx_spool/)
    expect(valuesOf(files, 'modules.conf', 'modules')).toMatchObject({ autoload: 'no' })
  })

  it('takes a number of ours in every spelling that carriers use, with its own station ID', () => {
    const german = filesOf({ trunk_country_code: '49', trunk_national_prefix: '0' })['extensions.conf'] ?? ''
    for (const spelling of ['+493012345', '493012345', '00493012345', '03012345', '3012345'])
      expect(german).toContain(`exten => ${spelling},1,Set(FAXDECK_STATION=+493012345)`)
    expect(german).toContain('exten => 15551230002,1,Set(FAXDECK_STATION=ACME FAX)')
  })

  it('answers a call beyond the channels of its trunk as busy', () => {
    const files = filesOf({ trunk_channels: 3, trunk_more: 'backup host=b.example channels=1' })
    expect(files['faxdeck.conf']).toContain('FAXDECK_CHANNELS_main=3\nFAXDECK_CHANNELS_backup=1\n')
    expect(files['extensions.conf']).toContain('same => n(full),Hangup(17)')
    expect(files['extensions.conf']).toContain('exten => _[+0-9]!,1,GotoIf($["${FAXDECK_FULL}" = "1"]?full)')
    const few = filesOf({ trunk_channels: 50, trunk_media_first: 20_000, trunk_media_last: 20_039 })
    expect(few['faxdeck.conf']).toContain('FAXDECK_CHANNELS_main=10\n')
  })

  it('without a number of its own names the account, and takes every call of the trunk', () => {
    const files = filesOf({ trunk_numbers: null })
    expect(valuesOf(files, 'pjsip.conf', 'main')).toMatchObject({ from_user: 'customer' })
    expect(valuesOf(filesOf({}), 'pjsip.conf', 'main')).not.toHaveProperty('from_user')
    expect(files['extensions.conf']).toContain('exten => _[+0-9]!,1,Goto(answer,${FILTER(+0-9,${EXTEN})},1)')
    expect(files['extensions.conf']).toContain('Goto(answer,0,1)')
  })

  it.each([
    ['14400', '14400', 'v17,v27,v29'],
    ['12000', '9600', 'v27,v29'],
    ['9600', '9600', 'v27,v29'],
    ['7200', '4800', 'v27'],
    ['4800', '4800', 'v27'],
  ])('holds the fax engine to %s by its modems', (trunk_speed, maxrate, modems) => {
    expect(valuesOf(filesOf({ trunk_speed }), 'res_fax.conf', 'general')).toMatchObject({ maxrate, modems })
  })

  it('needs a restart for addresses and ports, and for nothing else', () => {
    const { fixed, whole } = marksOf(filesOf({}))
    const live = marksOf(filesOf({ trunk_password: 'other', trunk_speed: '9600', trunk_answer_seconds: 3 }))
    expect(live.fixed).toBe(fixed)
    expect(live.whole).not.toBe(whole)
    for (const change of [{ trunk_sip_port: 5070 }, { trunk_bind: '127.0.0.1' }, { trunk_media_first: 20_000 }])
      expect(marksOf(filesOf(change)).fixed).not.toBe(fixed)
  })
})

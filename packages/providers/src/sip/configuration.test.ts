import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { shippedDialplan } from './checks.ts'
import { sipSnippets } from './snippets.ts'

const fileOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

type Sections = Map<string, { name: string; value: string }[]>

/**
 * Reads configuration as Asterisk does (config.c): what follows a semicolon is a comment unless a backslash stands
 * before it, a section begins with its name in brackets, everything else is `name = value` or `name => value`.
 * @throws {Error} for a line that Asterisk would refuse
 */
function readConf(text: string): Sections {
  const sections: Sections = new Map()
  let open: { name: string; value: string }[] | undefined
  for (const raw of text.split('\n')) {
    const line = raw.replace(/(?<!\\);.*$/, '').trim()
    const section = /^\[([\w-]+)\](\(!\))?$/.exec(line)?.[1]
    if (section !== undefined) sections.set(section, (open = sections.get(section) ?? []))
    else if (line !== '') {
      const [, name, value] = /^([^=]+?)\s*=>?\s*(.*)$/s.exec(line) ?? []
      if (!open || name === undefined || value === undefined) throw new Error(`Asterisk refuses: ${line}`)
      open.push({ name, value })
    }
  }
  return sections
}

/** Whether a pattern of a dialplan takes a number (pbx.c). */
function takes(pattern: string, number: string): boolean {
  if (!pattern.startsWith('_')) return pattern === number
  const signs: Readonly<Record<string, string>> = {
    X: '[0-9]',
    Z: '[1-9]',
    N: '[2-9]',
    '.': '.+',
    '!': '.*',
    '+': '\\+',
  }
  const source = pattern.slice(1).replace(/\[[^\]]*\]|./g, (sign) => signs[sign] ?? sign)
  return new RegExp(`^${source}$`).test(number)
}

const dialplan = readConf(fileOf('asterisk/faxdeck.conf'))
const extensions = (section: string) =>
  (dialplan.get(section) ?? []).filter(({ name }) => name === 'exten').map(({ value }) => value.split(',')[0] ?? '')

const handedOut: readonly (readonly [string, string])[] = [
  ['README.md', fileOf('README.md')],
  ['faxdeck.conf', fileOf('asterisk/faxdeck.conf')],
  [
    'the snippet',
    sipSnippets('/srv/lines/sip')
      .flatMap(({ where }) => where)
      .join(''),
  ],
]

describe('the configuration that we hand out, read as Asterisk reads it', () => {
  it('holds every section that Faxdeck dials into, and its own version', () => {
    expect([...dialplan.keys()]).toEqual(['globals', 'faxdeck-out', 'faxdeck-in', 'faxdeck-check'])
    expect(dialplan.get('globals')).toContainEqual({ name: 'FAXDECK_DIALPLAN', value: shippedDialplan })
    expect(extensions('faxdeck-out')).toEqual(['send', 'ended'])
    expect(extensions('faxdeck-check')).toEqual(['check', 'over'])
  })

  it('begins every extension at its first step, and ends every one', () => {
    for (const section of ['faxdeck-out', 'faxdeck-in', 'faxdeck-check']) {
      const lines = dialplan.get(section) ?? []
      expect(lines.filter(({ name }) => !['exten', 'same'].includes(name))).toEqual([])
      for (const { name, value } of lines)
        expect(value).toMatch(name === 'exten' ? /^[^,]+,1,\w+\(/ : /^n(\(\w+\))?,\w+\(/)
      expect(lines.at(-1)?.value).toMatch(/Hangup|Return/)
    }
  })

  it('gives the manager user the least it needs', () => {
    const manager = readConf(fileOf('asterisk/ami.conf'))
    expect(manager.get('faxdeck')).toContainEqual({ name: 'write', value: 'originate,call' })
    expect(manager.get('faxdeck')).toContainEqual({ name: 'read', value: 'call,user' })
  })

  it.each(handedOut)('sends numbers with and without a plus to the dialplan: %s', (_name, text) => {
    const [, pattern = ''] = /exten => (\S+?),1,Goto\(faxdeck-in/.exec(text) ?? []
    for (const number of ['+15550000001', '15550000001', '0']) expect(takes(pattern, number)).toBe(true)
    const [own = ''] = extensions('faxdeck-in')
    for (const number of ['+15550000001', '15550000001']) expect(takes(own, number)).toBe(true)
    expect(takes(pattern, 'ended')).toBe(false)
  })

  it('is not fooled by a pattern that turns a plus away', () => {
    expect([takes('_X.', '+15550000001'), takes('_X.', '15550000001')]).toEqual([false, true])
  })
})

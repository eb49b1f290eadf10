import { describe, expect, it } from 'vitest'
import { toAnswer } from './answer.ts'
import { describe as describeSettings } from './describe.ts'
import { settingRows } from './row.ts'

const base = { group: 'server', label: 'Label', help: 'Help.' } as const
const rows = settingRows([
  { ...base, type: 'text', key: 'host', env: 'HOST', at: 'sip.host', default: null },
  {
    ...base,
    type: 'secret',
    key: 'password',
    env: 'PASSWORD',
    at: 'sip.password',
    facts: { 'sip.password_is_default': (value) => value === 'changeme' },
    default: 'changeme',
  },
  { ...base, type: 'number', key: 'lines', env: 'LINES', at: 'sip.lines', default: null, min: 1, max: 9 },
  { ...base, type: 'secret', key: 'root_key', env: 'ROOT_KEY', at: 'root', default: null, environmentOnly: true },
])

describe('toAnswer', () => {
  it('nests values by path, unset text as empty text, and tells facts', () => {
    expect(toAnswer(rows, { host: null, password: 'changeme', lines: null, root_key: 'x' })).toEqual({
      sip: { host: '', password: '***', password_is_default: true, lines: null },
    })
  })
})

describe('describe', () => {
  it('tells value and source of every row that people may see, and no secret', () => {
    const layers = { environment: { password: 'from-the-environment-1234', root_key: 'x' }, saved: { host: 'pbx' } }
    const [host, password, lines, ...others] = describeSettings(rows, layers)
    expect(host).toMatchObject({ key: 'host', value: 'pbx', source: 'saved', configured: true, default: null })
    expect(password).toMatchObject({ value: '***1234', source: 'environment', default: '***' })
    expect(lines).toMatchObject({ value: null, source: 'default', configured: false, min: 1, max: 9 })
    expect(others).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { toAnswer } from './answer.ts'
import { describe as describeSettings } from './describe.ts'
import { settingRows } from './row.ts'

const base = { group: 'server', label: 'Label', help: 'Help.' } as const
const rows = settingRows({ group: 'server' }, [
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
  it('nests values by path, unset text as empty text, and gives facts', () => {
    expect(toAnswer(rows, { host: null, password: 'changeme', lines: null, root_key: 'x' })).toEqual({
      sip: { host: '', password: '***', password_is_default: true, lines: null },
    })
  })
})

describe('describe', () => {
  it('reports value and source of every row that people may see, and no secret', () => {
    const layers = { environment: { password: 'from-the-environment-1234', root_key: 'x' }, saved: { host: 'pbx' } }
    const [host, password, lines, ...others] = describeSettings(rows, layers)
    expect(host).toMatchObject({ key: 'host', value: 'pbx', source: 'saved', configured: true, default: null })
    expect(password).toMatchObject({ value: '***1234', source: 'environment', default: 'changeme', is_default: false })
    expect(lines).toMatchObject({ value: null, source: 'default', configured: false, min: 1, max: 9 })
    expect(others).toEqual([])
  })

  it('reports what would count after a reset, masked', () => {
    const layers = { environment: { password: 'from-the-environment-1234' }, saved: { host: 'pbx', password: 'other' } }
    const [host, password] = describeSettings(rows, layers)
    expect(host?.beneath).toEqual({ value: null, source: 'default' })
    expect(password?.beneath).toEqual({ value: '***1234', source: 'environment' })
  })

  it('knows a shipped secret, which nobody sees', () => {
    const [, password] = describeSettings(rows, { environment: {}, saved: {} })
    expect(password).toMatchObject({ value: '***', is_default: true })
  })

  it('says who decides what a form cannot change', () => {
    const more = settingRows({ group: 'server' }, [
      { ...base, type: 'switch', key: 'locked', env: 'LOCKED', default: false, lockedInForms: true },
      { ...base, type: 'switch', key: 'still', env: 'STILL', default: false, fixed: true },
      { ...base, type: 'text', key: 'by_process', env: 'BY_PROCESS', default: null, boot: true },
      { ...base, type: 'text', key: 'by_file', env: 'BY_FILE', default: null, boot: true },
    ])
    const environment = { by_process: 'p', by_file: 'f' }
    const boot = { byProcess: new Set(['by_process']), byFile: new Set(['by_file']) }
    const [locked, still, byProcess, byFile] = describeSettings(more, { environment, saved: {} }, boot)
    expect(locked?.fixed_why).toBe('Only the environment variable LOCKED changes it.')
    expect(still?.fixed_why).toBe('Fixed: it cannot be changed.')
    expect(byProcess).toMatchObject({ source: 'environment', fixed: true })
    expect(byProcess?.fixed_why).toBe('It is set by the environment variable BY_PROCESS.')
    expect(byFile).toMatchObject({ source: 'saved', fixed: false, beneath: { value: null, source: 'default' } })
  })

  it('gives what forms need of each type', () => {
    const more = settingRows({ group: 'server' }, [
      { ...base, type: 'number', key: 'size', env: 'SIZE', default: 10, min: 1, max: 50, fallback: 10 },
      { ...base, type: 'secret', key: 'ours', env: 'OURS', default: null, drawn: true, provider: 'pbx' },
      { ...base, type: 'switch', key: 'verify', env: 'VERIFY', default: true, words: { on: 'Yes', off: 'No' } },
      {
        ...base,
        type: 'text',
        key: 'bucket',
        env: 'BUCKET',
        default: null,
        onlyWhen: { key: 'store', is: 's3' },
        advanced: true,
      },
    ])
    const [size, ours, verify, bucket] = describeSettings(more, { environment: {}, saved: {} })
    expect(size).toMatchObject({ min: 1, max: 50, fallback: 10 })
    expect(ours).toMatchObject({ drawn: true, provider: 'pbx' })
    expect(verify?.choices?.map(({ value, label }) => value + label)).toEqual(['trueYes', 'falseNo'])
    expect(bucket).toMatchObject({ only_when: { key: 'store', is: 's3' }, advanced: true })
    expect(size).not.toHaveProperty('advanced')
  })
})

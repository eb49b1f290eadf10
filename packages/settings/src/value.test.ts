import { describe, expect, it } from 'vitest'
import { settingRows } from './row.ts'
import { isMasked, maskValue, readValue } from './value.ts'

const base = { group: 'server', label: '', help: '' } as const
const [text, secret, minutes, flag, paper, fixed, seconds] = settingRows({ group: 'server' }, [
  { ...base, type: 'text', key: 'url', env: 'URL', default: null },
  { ...base, type: 'secret', key: 'secret', env: 'SECRET', default: null },
  { ...base, type: 'number', key: 'minutes', env: 'MINUTES', default: 5, min: 1, max: 10 },
  { ...base, type: 'switch', key: 'flag', env: 'FLAG', default: false },
  { ...base, type: 'choice', key: 'paper', env: 'PAPER', default: 'a4', choices: [{ value: 'a4', label: 'A4' }] },
  { ...base, type: 'number', key: 'ttl', env: 'TTL', default: 60, min: 60, max: 60, fixed: true },
  { ...base, type: 'number', key: 'seconds', env: 'SECONDS', default: 2, min: 0, max: 600, fraction: true },
])

describe('readValue', () => {
  it.each([
    ['true', true],
    ['YES', true],
    ['1', true],
    [true, true],
    ['off', false],
    ['0', false],
  ])('reads the switch %j', (raw, value) => {
    expect(readValue(flag, raw)).toEqual({ value })
  })

  it.each([
    [flag, 'perhaps', 'It must be true or false.'],
    [minutes, 'many', 'It must be a whole number from 1 to 10.'],
    [minutes, '', 'It must be a whole number from 1 to 10.'],
    [minutes, 11, 'It must be a whole number from 1 to 10.'],
    [minutes, 1.5, 'It must be a whole number from 1 to 10.'],
    [minutes, true, 'It must be a whole number from 1 to 10.'],
    [paper, 'a5', 'It must be one of a4.'],
    [fixed, 30, 'It is fixed at 60.'],
    [text, 7, 'It must be text.'],
    [text, 'two\nlines', 'It must be one line without control characters.'],
    [text, 'x'.repeat(4001), 'It is longer than 4000 characters.'],
  ])('refuses what does not fit (%#)', (row, raw, problem) => {
    expect(readValue(row, raw)).toEqual({ problem })
  })

  it('reads parts of one where they make sense', () => {
    expect(readValue(seconds, '0.05')).toEqual({ value: 0.05 })
    expect(readValue(seconds, 'NaN')).toEqual({ problem: 'It must be a number from 0 to 600.' })
  })

  it('accepts of a fixed setting its own value', () => {
    expect(readValue(fixed, '60')).toEqual({ value: 60 })
  })
})

describe('masking', () => {
  it('shows of a secret nothing, or the last four characters of a long one', () => {
    expect(maskValue(secret, 'short-one')).toBe('***')
    expect(maskValue(secret, 'a-secret-of-24-chars-9876')).toBe('***9876')
  })

  it('shows no password of a URL', () => {
    expect(maskValue(text, 'postgres://fax:pa:ss@db.lan:5432/fax')).toBe('postgres://fax:***@db.lan:5432/fax')
    expect(maskValue(text, 'https://fax.example.org/a:b@c')).toBe('https://fax.example.org/a:b@c')
  })

  it('knows its own masks when they come back', () => {
    expect(isMasked(secret, '***')).toBe(true)
    expect(isMasked(secret, '***9876')).toBe(true)
    expect(isMasked(text, 'postgres://fax:***@db.lan/fax')).toBe(true)
    expect(isMasked(secret, 'a real one')).toBe(false)
    expect(isMasked(text, '***')).toBe(false)
  })
})

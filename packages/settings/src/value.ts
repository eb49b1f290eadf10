import type { NumberRow, SettingRow, SettingValue } from './row.ts'

/** Values by payload key. */
export type Values = Readonly<Record<string, SettingValue>>

type Read = { value: SettingValue } | { problem: string }

const words = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
])

// A value must fit on one line of an .env file and in a header.
const unprintable = /[\p{Cc}\u2028\u2029]/u

function readSwitch(raw: unknown): Read {
  const value = typeof raw === 'boolean' ? raw : words.get(String(raw).trim().toLowerCase())
  return value === undefined ? { problem: 'It must be true or false.' } : { value }
}

function readNumber(row: NumberRow, raw: unknown): Read {
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  const fits = row.fraction ? Number.isFinite(value) : Number.isInteger(value)
  if (typeof value === 'number' && fits && value >= row.min && value <= row.max) return { value }
  if (row.min === row.max) return { problem: `It is fixed at ${row.min}.` }
  return { problem: `It must be a ${row.fraction ? '' : 'whole '}number from ${row.min} to ${row.max}.` }
}

function readText(row: Exclude<SettingRow, { type: 'number' | 'switch' }>, raw: unknown): Read {
  if (typeof raw !== 'string') return { problem: 'It must be text.' }
  const value = raw.trim()
  if (value.length > 4000) return { problem: 'It is longer than 4000 characters.' }
  if (unprintable.test(value)) return { problem: 'It must be one line without control characters.' }
  if (row.type === 'choice' && !row.choices.some((choice) => choice.value === value)) {
    return { problem: `It must be one of ${row.choices.map((choice) => choice.value).join(', ')}.` }
  }
  const problem = row.check?.(value)
  return problem === undefined ? { value } : { problem }
}

/** Reads one value as it comes from an environment or a request body; the problem is a sentence without the name. */
export function readValue(row: SettingRow, raw: unknown): Read {
  if (row.type === 'switch') return readSwitch(raw)
  const read = row.type === 'number' ? readNumber(row, raw) : readText(row, raw)
  if ('problem' in read || !row.fixed || read.value === row.default) return read
  return { problem: `It is fixed at ${String(row.default)}.` }
}

const passwordInUrl = /^([a-z][a-z0-9+.-]*:\/\/[^/?#@]*?):[^/?#]*@/i

function maskSecret(value: string): string {
  return value.length >= 16 ? `***${value.slice(-4)}` : '***'
}

/** The value as people may see it: of a secret three stars and the last four of a long one, of a URL no password. */
export function maskValue(row: SettingRow, value: SettingValue): SettingValue {
  if (typeof value !== 'string') return value
  return row.type === 'secret' ? maskSecret(value) : value.replace(passwordInUrl, '$1:***@')
}

/** Whether a value given back is the masked one that was handed out, and so says nothing. */
export function isMasked(row: SettingRow, raw: unknown): boolean {
  if (typeof raw !== 'string') return false
  return row.type === 'secret' ? raw.trim().startsWith('***') : raw.includes(':***@')
}

import type { LogEntry } from '@faxdeck/contract'
import { anyTime, boundsOf, type TimeRange } from '../../ui/time-range.ts'

/** What the audit trail can be read since. */
export const sinceChoices = ['', '5m', '15m', '1h', '24h', '7d', '30d', 'custom'] as const

/** Where entries are read: the audit trail of the database, or the end of the audit file. */
type LogSource = 'trail' | 'file'

/** The filters as they stand in their fields. */
export interface LogFields {
  source: LogSource
  search: string
  event: string
  since: TimeRange
  limit: string
  lines: string
}

export const blankFields: LogFields = {
  source: 'trail',
  search: '',
  event: '',
  since: anyTime,
  limit: '200',
  lines: '2000',
}

/** Whether anything keeps entries away; how many are asked for does not. */
export const isFiltered = ({ search, event, since }: LogFields) => Boolean(search.trim() || event.trim() || since.range)

export interface Token {
  key: string
  value: string
}

/** `key:value`, also `key:"two words"`; a value may hold colons. An address such as `http://…` is a word. */
const pattern = /([A-Za-z_][\w.-]*):(?!\/\/)(?:"([^"]*)"|(\S+))|(\S+)/g

/** What was typed, taken apart: tokens with keys in lower case, and the other words. */
export function parseSearch(text: string): { tokens: Token[]; words: string } {
  const tokens: Token[] = []
  const words: string[] = []
  for (const [, key, quoted, plain, word] of text.matchAll(pattern)) {
    const value = quoted ?? plain
    if (key !== undefined && value !== undefined) tokens.push({ key: key.toLowerCase(), value })
    else if (word !== undefined) words.push(word)
  }
  return { tokens, words: words.join(' ') }
}

function countOf(typed: string, max: number, otherwise: number): number {
  const count = Number(typed)
  return Number.isInteger(count) && count >= 1 ? Math.min(count, max) : otherwise
}

/** Text that stands in an entry's JSON just as it is shown. */
const isPlain = (value: string) => /^[\w .:+/@*-]+$/.test(value)

/** What the gateway is asked for. Relative times are counted from `now`; what is not valid is left out. */
export function requestOf(fields: LogFields, now: number) {
  const { tokens, words } = parseSearch(fields.search)
  const event = fields.event.trim()
  // An entry that a token fits holds its value: to ask for that finds it among more than the newest few.
  const narrowing = tokensInForce(fields, tokens).find(({ key, value }) => key !== 'ts' && isPlain(value))
  const q = words || narrowing?.value
  return {
    ...(q ? { q } : {}),
    ...(event ? { event } : {}),
    since: boundsOf(fields.since, now).from,
    limit: countOf(fields.limit, 1000, 200),
    lines: countOf(fields.lines, 20_000, 2000),
  }
}

/** The event field stands above an `event:` token. */
function tokensInForce({ event }: LogFields, tokens: Token[]): Token[] {
  return event.trim() ? tokens.filter(({ key }) => key !== 'event') : tokens
}

/** How a fact is shown and compared. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The entries that every token fits: its value is part of that fact, in any case. */
export function fitting(entries: readonly LogEntry[], fields: LogFields): readonly LogEntry[] {
  const tokens = tokensInForce(fields, parseSearch(fields.search).tokens)
  if (tokens.length === 0) return entries
  const fits = (entry: LogEntry, { key, value }: Token) => {
    const fact = entry[key]
    return fact !== undefined && textOf(fact).toLowerCase().includes(value.toLowerCase())
  }
  return entries.filter((entry) => tokens.every((token) => fits(entry, token)))
}

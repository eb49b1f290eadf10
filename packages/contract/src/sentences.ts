import { z } from 'zod'

type Issue = z.core.$ZodRawIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  nan: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'a date and time like 2026-11-22T09:30:00Z',
  date: 'a day like 2026-11-22',
  url: 'an address like https://example.com/fax',
  email: 'an address like name@example.com',
  json_string: 'JSON',
  base64: 'base64',
}

/** What a length is counted in: one, and many. */
const units: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function listOf(values: readonly unknown[]): string {
  const words = values.map(String)
  return words.length === 1 ? words.join('') : `one of ${words.join(', ')}`
}

/** The branches of a union that fail are alternatives: what each wants, said once. */
function alternatives(branches: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const wanted = branches.map(([issue]) =>
    issue?.path.length === 0 ? /^It must be (.+)\.$/.exec(issue.message) : null,
  )
  const words = wanted.flatMap((match) => match?.slice(1) ?? [])
  return words.length === branches.length && words.length > 0
    ? `It must be ${[...new Set(words)].join(', or ')}.`
    : undefined
}

function bound(words: string, limit: number | bigint, origin: string): string {
  if (origin === 'string' && words === 'at least' && limit === 1) return 'It must not be empty.'
  const unit = units[origin]?.[Number(limit) === 1 ? 0 : 1]
  return unit ? `It must have ${words} ${limit} ${unit}.` : `It must be ${words} ${limit}.`
}

/** Lists of other APIs are paged by a number. */
const hintFor = (keys: readonly string[]) =>
  keys.includes('offset') ? ' Lists are paged by cursor: pass the one from the previous page as "cursor".' : ''

function wrong(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `It must be ${kinds[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return `It must be ${listOf(issue.values)}.`
    case 'too_small':
      return bound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin)
    case 'too_big':
      return bound(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin)
    case 'invalid_format':
      return `It must be ${formats[issue.format] ?? 'in the format described in the reference'}.`
    case 'unrecognized_keys':
      return `There is no ${issue.keys.map((key) => `"${key}"`).join(', ')} here.${hintFor(issue.keys)}`
    case 'invalid_union':
      return alternatives(issue.errors)
    default:
      return undefined
  }
}

/** What a schema found, in a sentence for the person who wrote the call; undefined when there is nothing better to say than what Zod says. */
export function sentenceOf(issue: Issue): string | undefined {
  const sentence = wrong(issue)
  const isMissing = issue.input === undefined && issue.code !== 'unrecognized_keys'
  return isMissing ? sentence?.replace(/^It must be/, 'It is missing. It must be') : sentence
}

// For everyone who checks something by the contract: the gateway, its tools for assistants, the command line.
z.config({ customError: sentenceOf })

/** Entries of a dictionary, each value as it is written. */
export type Entries = Map<string, string>

/** White space and comments, then a bracket, a name, a number or word, a hexadecimal string, or the begin of a string. */
const token = /(?:[\s\0]|%[^\r\n]*(?:[\r\n]|$))*(<<|>>|[[\]({}]|\/[^\s\0()<>[\]{}/%]*|<[^<>]*>|[^\s\0()<>[\]{}/%]+)/y
/** Brackets within brackets. */
const maxNesting = 100
const restOfReference = /[\s\0]+\d+[\s\0]+R(?![^\s\0()<>[\]{}/%])/y
const escape = /#([0-9a-f]{2})/gi

interface Token {
  text: string
  start: number
  end: number
}

function tokenAt(text: string, at: number): Token | undefined {
  token.lastIndex = at
  const found = token.exec(text)?.[1]
  if (found === undefined) return undefined
  const start = token.lastIndex - found.length
  const end = found === '(' ? endOfString(text, start) : token.lastIndex
  return end === undefined ? undefined : { text: found, start, end }
}

/** A string in parentheses may hold others in pairs (ISO 32000-1, 7.3.4.2). */
function endOfString(text: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x28) depth++
    else if (code === 0x29 && --depth === 0) return at + 1
  }
  return undefined
}

/** Where the value ends that begins with a token; undefined when none does. */
function endOfValue(text: string, first: Token): number | undefined {
  let depth = 0
  for (let at: Token | undefined = first; at; at = tokenAt(text, at.end)) {
    if (at.text === '<<' || at.text === '[') depth++
    else if (at.text === '>>' || at.text === ']') depth--
    if (depth < 0 || depth > maxNesting) return undefined
    if (depth > 0) continue
    restOfReference.lastIndex = at.end
    return /^\d+$/.test(at.text) && restOfReference.test(text) ? restOfReference.lastIndex : at.end
  }
  return undefined
}

/** The value that begins at a place of a text, and where it ends; undefined when there is none, or it has no end. */
export function valueAt(text: string, from: number): { value: string; end: number } | undefined {
  const first = tokenAt(text, from)
  const end = first && endOfValue(text, first)
  return end === undefined ? undefined : { value: text.slice(first!.start, end), end }
}

/** The entries of a value that is a dictionary; undefined for any other. */
export function readEntries(text: string): Entries | undefined {
  const entries: Entries = new Map()
  const first = tokenAt(text, 0)
  if (first?.text !== '<<') return undefined
  for (let end = first.end; ;) {
    const key = tokenAt(text, end)
    if (key?.text === '>>') return entries
    const found: ReturnType<typeof valueAt> = key && valueAt(text, key.end)
    if (!key?.text.startsWith('/') || !found) return undefined
    entries.set(
      key.text.slice(1).replace(escape, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
      found.value,
    )
    end = found.end
  }
}

/** The values of an array; none of what is not one. */
export function readList(text: string): string[] {
  const values: string[] = []
  const first = tokenAt(text, 0)
  if (first?.text !== '[') return []
  for (let end = first.end; ;) {
    if (tokenAt(text, end)?.text === ']') return values
    const found = valueAt(text, end)
    if (!found) return []
    values.push(found.value)
    end = found.end
  }
}

/** The object that a value refers to; undefined for a value that is not a reference. */
export function referred(value: string | undefined): number | undefined {
  const number = value === undefined ? undefined : /^(\d+)[\s\0]+\d+[\s\0]+R$/.exec(value)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Entries as they stand between the brackets of a dictionary. */
export function writeEntries(entries: Entries): string {
  return Array.from(entries, ([key, value]) => `/${key} ${value}`).join('')
}

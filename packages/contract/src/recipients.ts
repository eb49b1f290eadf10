import { isFaxNumber, stripNumber } from './phone.ts'

/** The maximum of numbers in one broadcast. */
export const maxRecipients = 5000

/** A number of a list, and whom it belongs to. */
export interface ListedRecipient {
  /** The line of the list, from 1; of JSON, the entry. */
  row: number
  /** As it was written. */
  to: string
  name: string | null
  reference: string | null
}

/** A line of a list that names no number to fax. */
export interface RefusedRow {
  row: number
  /** What stands there, shortened. */
  text: string
  reason: string
}

export interface RecipientList {
  recipients: ListedRecipient[]
  refused: RefusedRow[]
}

const longestText = 200
const notANumber = 'Not a fax number: it needs 10 to 15 digits, or + and a country code.'
const shortened = 'The spreadsheet has shortened this number. Format the column as text and copy it again.'
const noNumber = 'There is no fax number in this row.'
const severalNumbers =
  'This row has more than one number. Keep only the fax number, or name the columns in the first row: fax, name, reference.'

const numberColumns = [
  /^fax(?:[ _-]?(?:number|no\.?|nr\.?|#))?$/i,
  /^(?:to|to[ _]number|recipient[ _]number|number)$/i,
  /^(?:phone|telephone)(?:[ _]number)?$/i,
]
const nameColumn = /^(?:(?:full|recipient|company)?[ _]?name|recipient|company|organi[sz]ation|practice|contact)$/i
const referenceColumn = /^(?:reference|ref\.?|id)$/i

const hasLetter = (text: string) => /\p{L}/u.test(text)
/** Invisible characters around a copied number; the quote that keeps a spreadsheet from calculating. */
const cleaned = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .replace(/^'(?=[+=\-@\d])/, '')
const textOrNull = (text: string | undefined) => (text ? text.slice(0, longestText) : null)

/** The records of a list and their cells (RFC 4180), with the separator that it uses: tab, semicolon or comma. */
function recordsOf(text: string): string[][] {
  const separator = ['\t', ';'].find((each) => text.includes(each)) ?? ','
  const records: string[][] = []
  let cells: string[] = []
  let at = 0
  while (at < text.length) {
    let cell: string
    const quoted = /[ ]*"((?:[^"]|"")*)"[ ]*(?=[\t;,\r\n]|$)/y
    quoted.lastIndex = at
    const match = text[at] === '"' || text[at] === ' ' ? quoted.exec(text) : null
    if (match) {
      cell = (match[1] ?? '').replaceAll('""', '"')
      at = quoted.lastIndex
    } else {
      const from = at
      while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
      cell = text.slice(from, at)
    }
    cells.push(cleaned(cell))
    const ends = at >= text.length || text[at] === '\n' || text[at] === '\r'
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    if (!ends) continue
    records.push(cells)
    cells = []
  }
  if (cells.length > 0) records.push(cells)
  return records
}

/** Which column holds what, from 0; -1 for none. */
export interface RecipientColumns {
  number: number
  name: number
  reference: number
  /** Whether the first row names the columns. */
  named: boolean
}

/** What the columns are, when the first row says so. */
function columnsOf(head: readonly string[]): RecipientColumns | undefined {
  if (head.some(isFaxNumber)) return undefined
  for (const kind of numberColumns) {
    const number = head.findIndex((cell) => kind.test(cell))
    if (number < 0) continue
    const other = (wanted: RegExp) => head.findIndex((cell, at) => at !== number && wanted.test(cell))
    return { number, name: other(nameColumn), reference: other(referenceColumn), named: true }
  }
  return undefined
}

const refusal = (row: number, text: string): RefusedRow => ({
  row,
  text: text.slice(0, 60),
  reason: text === '' ? noNumber : /^\d+[.,]\d+E\+\d+$/i.test(text) ? shortened : notANumber,
})

function readNamed(cells: readonly string[], columns: RecipientColumns, row: number, list: RecipientList): void {
  const to = cells[columns.number] ?? ''
  const name = textOrNull(cells[columns.name])
  if (!isFaxNumber(to)) list.refused.push(refusal(row, to === '' ? '' : to))
  else list.recipients.push({ row, to, name, reference: textOrNull(cells[columns.reference]) })
}

/** A row without column names: its number is recognized by its digits. */
function readUnnamed(cells: readonly string[], row: number, list: RecipientList): void {
  const parts = cells.filter(Boolean).flatMap((cell) => {
    const inside = cell.split(/[,;]/).map((part) => part.trim())
    return inside.length > 1 && inside.every((part) => part === '' || isFaxNumber(part)) ? inside.filter(Boolean) : cell
  })
  const numbers = parts.filter(isFaxNumber)
  const others = parts.filter((part) => !isFaxNumber(part))
  const isNamed = others.some(hasLetter)
  if (numbers.length > 1 && isNamed) {
    list.refused.push({ row, text: numbers.join(', ').slice(0, 60), reason: severalNumbers })
    return
  }
  const [name, reference] = isNamed ? others : []
  for (const to of numbers) {
    list.recipients.push({ row, to, name: textOrNull(name), reference: textOrNull(reference) })
  }
  if (numbers.length === 0 && isNamed)
    list.refused.push(refusal(row, others.find((part) => !hasLetter(part)) ?? others.join(' ')))
  if (!isNamed) for (const other of others) list.refused.push(refusal(row, other))
}

/** Entries of a JSON list: numbers, or objects with `to`, `name` and `reference`. */
function readJson(entries: readonly unknown[]): RecipientList {
  const list: RecipientList = { recipients: [], refused: [] }
  for (const [at, entry] of entries.entries()) {
    const { to, name, reference } = (typeof entry === 'object' && entry !== null ? entry : { to: entry }) as Partial<
      Record<string, unknown>
    >
    const number = cleaned(typeof to === 'string' || typeof to === 'number' ? String(to) : '')
    const textIn = (value: unknown) => textOrNull(typeof value === 'string' ? cleaned(value) : undefined)
    if (!isFaxNumber(number)) list.refused.push(refusal(at + 1, number))
    else list.recipients.push({ row: at + 1, to: number, name: textIn(name), reference: textIn(reference) })
  }
  return list
}

function jsonIn(text: string): readonly unknown[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads a list of recipients as people and programs have one: numbers by line, comma or semicolon; columns copied from a
 * spreadsheet; CSV, with or without a first row that names its columns; or a JSON array.
 * @param chosen what its columns are, where a person has said so
 */
export function readRecipients(text: string, chosen?: RecipientColumns): RecipientList {
  const json = jsonIn(text)
  if (json) return readJson(json)
  const list: RecipientList = { recipients: [], refused: [] }
  const records = recordsOf(text)
  const head = records.findIndex((cells) => cells.some(Boolean))
  const columns = chosen ?? columnsOf(records[head] ?? [])
  for (const [at, cells] of records.entries()) {
    if (!cells.some(Boolean) || (columns?.named && at === head)) continue
    if (columns) readNamed(cells, columns, at + 1, list)
    else readUnnamed(cells, at + 1, list)
  }
  return list
}

/** The rows of a list that is a table, and what its columns seem to be; undefined for numbers alone. */
export function readTable(text: string): { rows: string[][]; columns: RecipientColumns } | undefined {
  if (jsonIn(text)) return undefined
  const rows = recordsOf(text).filter((cells) => cells.some(Boolean))
  const [head = []] = rows
  const found = columnsOf(head)
  if (found) return { rows, columns: found }
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const counts = Array.from({ length: width }, (_, at) => rows.filter((cells) => isFaxNumber(cells[at] ?? '')).length)
  const most = Math.max(0, ...counts)
  // Telephones are often as many: a heading that says fax in any language comes first.
  const fax = counts.findIndex((count, at) => count > 0 && /fax/i.test(head[at] ?? ''))
  const texts = [...counts.keys()].filter((at) => counts[at] === 0 && rows.some((cells) => hasLetter(cells[at] ?? '')))
  const [name, reference = -1] = texts
  if (most === 0 || name === undefined) return undefined
  return {
    rows,
    columns: { number: fax < 0 ? counts.indexOf(most) : fax, name, reference, named: !head.some(isFaxNumber) },
  }
}

/** A key for comparing numbers, as far as that is possible without the country they are dialed from. */
export function numberKey(typed: string): string {
  return stripNumber(typed).replace(/^(?:\+|00)/, '')
}

/**
 * Takes every number once, the first time that it stands in the list.
 * @param keyOf a key that differs between two numbers
 */
export function dropDuplicates<R extends { to: string }>(
  recipients: readonly R[],
  keyOf: (to: string) => string,
): { once: R[]; duplicates: R[] } {
  const seen = new Set<string>()
  const once: R[] = []
  const duplicates: R[] = []
  for (const recipient of recipients) {
    const key = keyOf(recipient.to)
    ;(seen.has(key) ? duplicates : once).push(recipient)
    seen.add(key)
  }
  return { once, duplicates }
}

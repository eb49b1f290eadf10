import { parse, type Options } from 'csv-parse/sync'
import { DocumentProblem } from '../../base/problem.ts'
import { decodeText } from '../../text/decode.ts'
import { checkPages, type Limits } from '../../base/limits.ts'
import type { Flow } from '../flow.ts'

/** More rows than this do not fit on one page, whatever is in them. */
const maxRowsOnPage = 60
const maxColumns = 2000
/** Rows that the separator is looked for in. */
const sampledRows = 50

const separators = ['\t', ';', ',', '|'] as const
type Separator = (typeof separators)[number]

/** The line by which files tell Excel what separates their values. */
const separatorLine = /^sep=([\t;,|])\r?\n/i
const number = /^[-+(]?[$€£]?\s*\d[\d\s.,:/%-]*\)?$/

function rowsOf(text: string, delimiter: Separator, options: Options = {}): string[][] {
  const given = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    ...options,
  }
  try {
    return parse(text, given)
  } catch {
    // A quotation mark that is never closed: then those of this file are letters.
    return parse(text, { ...given, quote: null })
  }
}

/** How many rows have as many values as most have, and how many these are: one value in each says nothing. */
function evenness(text: string, separator: Separator): number {
  const widths = rowsOf(text, separator, { to: sampledRows }).map(({ length }) => length)
  const share = (width: number) => widths.filter((each) => each === width).length / widths.length
  return Math.max(0, ...widths.filter((width) => width > 1).map(share))
}

/** What separates the values: what divides the rows most evenly. The names of columns decide between a decimal comma and a separator. */
function separatorOf(text: string): Separator {
  // Cut inside a quoted value, the last row counts for little.
  const sample = text.slice(0, 64 * 1024)
  const even = separators.map((separator) => ({ separator, share: evenness(sample, separator) }))
  const best = even.reduce((found, each) => (each.share > found.share ? each : found))
  return best.share > 0 ? best.separator : ','
}

/** Whether the first row names the columns: each has a name, and none is a number. */
function hasNames([first = [], ...others]: readonly (readonly string[])[]): boolean {
  return others.length > 0 && first.every((name) => name.trim() !== '' && !number.test(name.trim()))
}

/**
 * A file of separated values (RFC 4180) as a table: with commas, semicolons, tabs or bars between them. What looks like a
 * formula is text.
 * @throws {DocumentProblem} as `decodeText`; `too_many_pages`, `too_large`
 */
export function readCsv(bytes: Uint8Array, limits: Limits): Flow {
  const text = decodeText(bytes)
  const given = separatorLine.exec(text)
  const separator = given ? (given[1] as Separator) : separatorOf(text)
  const maxRows = limits.pages * maxRowsOnPage
  const rows = rowsOf(text.slice(given?.[0].length ?? 0), separator, { to: maxRows + 1 })
  checkPages(Math.ceil(rows.length / maxRowsOnPage), limits)
  const columns = rows.reduce((max, { length }) => Math.max(max, length), 0)
  if (columns > maxColumns) {
    throw new DocumentProblem(
      'too_large',
      `The table has more than ${maxColumns} columns. Send only those that matter.`,
    )
  }
  const named = hasNames(rows)
  const cells = rows.map((row, index) =>
    Array.from({ length: columns }, (_, column) => ({
      pieces: [{ text: row[column] ?? '', bold: named && index === 0 }],
      span: 1,
    })),
  )
  return { blocks: [{ kind: 'table', rows: cells, headings: named ? 1 : 0 }], notes: [] }
}

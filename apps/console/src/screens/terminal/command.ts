/** What a command may do while it runs. */
export interface Run {
  args: readonly string[]
  /** Writes a line of text; whatever controls a terminal is taken out of it. */
  print: (line?: string) => void
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Characters in a row. */
  width: number
}

/** One word of the simulated shell. */
export interface Command {
  name: string
  /** What follows the name: "NUMBER FILE". */
  usage?: string
  about: string
  /** What may stand in each place after the name, for the Tab key. */
  complete?: readonly (readonly string[])[]
  run: (run: Run) => void | Promise<void>
}

/** Said when what follows the name does not fit. */
export class UsageProblem extends Error {
  override name = 'UsageProblem'
}

/** Longer cells end in "…", but for those of the last column. */
const longestCell = 28

function cut(row: readonly string[]): string[] {
  return row.map((cell, index) =>
    index < row.length - 1 && cell.length > longestCell ? `${cell.slice(0, longestCell - 1)}…` : cell,
  )
}

/** Rows of cells as text, each column as wide as its longest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map(cut)
  const widthOf = (index: number) => Math.max(...cells.map((row) => row[index]?.length ?? 0))
  const widths = (cells[0] ?? []).map((_, index) => widthOf(index))
  return cells.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Rows below a head; where there is no room for them side by side, each cell with its name on a line of its own. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], width: number): string[] {
  const wide = columns([head, ...rows])
  // The last column may go on in the next line.
  const needed = wide[0]?.length ?? 0
  if (needed <= width - 8) return wide
  return rows.flatMap((row) => [...columns(head.map((name, index) => [name.toLowerCase(), row[index] ?? ''])), ''])
}

/** One line of a bench's table. */
export interface Figure {
  what: string
  /** The number in `unit`. */
  value: number
  unit: string
  /** Reached by values from or up to it; absent where nothing was promised. */
  goal?: { atLeast: number } | { atMost: number }
  /** What the predecessor needed, as text; absent where it was not measured. */
  predecessor?: string
}

const digits = (value: number) => (value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2)

/** `1,234 /s`: thousands apart, three figures that count. */
export function written(value: number, unit: string): string {
  const places = digits(value)
  const number = value.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places })
  return `${number} ${unit}`
}

function goalOf({ goal, unit, value }: Figure): string {
  if (!goal) return ''
  if ('atLeast' in goal) return `≥ ${written(goal.atLeast, unit)}, ${value >= goal.atLeast ? 'reached' : 'missed'}`
  return `≤ ${written(goal.atMost, unit)}, ${value <= goal.atMost ? 'reached' : 'missed'}`
}

/** Prints figures as a Markdown table, which reads in a terminal as well. */
export function printFigures(figures: readonly Figure[]): void {
  const rows = [
    ['', 'measured', 'goal', 'predecessor'],
    ...figures.map((figure) => [
      figure.what,
      written(figure.value, figure.unit),
      goalOf(figure),
      figure.predecessor ?? '',
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 3))
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  console.log([line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n'))
}

/** The value below which `share` of the sorted values lie. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

/** Prints a Markdown table that reads in a terminal as well. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(3, cell.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  console.log([line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'))
}

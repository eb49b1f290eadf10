/** How many letters have to be added, taken away, replaced or swapped with their neighbor (Damerau–Levenshtein). */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= a.length; row++) {
    const costs = [row]
    rows.push(costs)
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      const replaced = at(row - 1, column - 1) + (isSame ? 0 : 1)
      costs.push(Math.min(at(row - 1, column) + 1, (costs[column - 1] ?? 0) + 1, replaced, swapped))
    }
  }
  return at(a.length, b.length)
}

/** The name that somebody who typed `given` may have meant; undefined when none is near. */
export function closest(given: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, steps: distance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, steps }) => steps <= Math.max(1, Math.floor(Math.max(given.length, name.length) / 3)))
    .toSorted((a, b) => a.steps - b.steps)
  return near[0]?.name
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(given: string, names: readonly string[], shown = (name: string) => name): string {
  const name = closest(given, names)
  return name === undefined ? '' : ` Did you mean ${shown(name)}?`
}

/**
 * The share of calls that find no line free (Erlang B).
 * @param erlangs lines that the traffic keeps busy on average
 */
export function blocking(lines: number, erlangs: number): number {
  // The recursion of the formula, which needs no factorials: B(n) = A·B(n-1) / (n + A·B(n-1)).
  let share = 1
  for (let line = 1; line <= lines; line += 1) share = (erlangs * share) / (line + erlangs * share)
  return share
}

/** The fewest lines with which no more than this share of calls finds none free. */
export function linesFor(erlangs: number, share: number): number {
  let lines = 1
  while (blocking(lines, erlangs) > share) lines += 1
  return lines
}

/** The parts in order of their names, as signatures want them; parts of one name stay in order of arrival. */
export function byName<T extends readonly [name: string, value: string]>(parts: readonly T[]): T[] {
  return [...parts].sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
}

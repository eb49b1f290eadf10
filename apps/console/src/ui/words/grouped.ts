let made: Intl.NumberFormat | undefined

/** A count with its thousands apart: "10,000". Made when first needed, as the formatters of times are. */
export function grouped(count: number): string {
  return count < 1000 ? String(count) : (made ??= new Intl.NumberFormat()).format(count)
}

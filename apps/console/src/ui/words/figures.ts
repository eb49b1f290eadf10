let made: Intl.NumberFormat | undefined

/** A count with its thousands apart: "10,000". Made when first needed, as the formatters of times are. */
export function grouped(count: number): string {
  return count < 1000 ? String(count) : (made ??= new Intl.NumberFormat()).format(count)
}

/** "1 fax", "1,200 faxes". */
export const countFaxes = (count: number): string => (count === 1 ? '1 fax' : `${grouped(count)} faxes`)

/** "1 page", "12 pages". */
export const countPages = (count: number): string => (count === 1 ? '1 page' : `${grouped(count)} pages`)

/** "98.2%" of the faxes that were delivered or failed; a dash when none did. Never 100% while one has failed. */
export function successRate({ delivered, failed }: { delivered: number; failed: number }): string {
  if (delivered + failed === 0) return '—'
  return `${Math.floor((delivered / (delivered + failed)) * 1000) / 10}%`
}

/** "42 s", "3 min 5 s", "2 h 10 min"; a dash for none. */
export function durationInWords(seconds: number | null): string {
  if (seconds === null) return '—'
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${grouped(Math.floor(whole / 3600))} h ${Math.floor((whole % 3600) / 60)} min`
}

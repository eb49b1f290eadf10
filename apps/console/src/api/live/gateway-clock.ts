/** Milliseconds by which the gateway's clock is ahead of the browser's. */
let ahead = 0
/** The header is cut to the second and the answer was under way: what is less than this is no difference. */
const negligible = 10_000

/** Learns the gateway's time from an answer (its `Date`, RFC 9110 section 6.6.1). */
export function noteClock({ headers }: Response): void {
  const difference = Date.parse(headers.get('date') ?? '') - Date.now()
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < negligible ? 0 : difference
}

/**
 * Now by the clock that dates faxes, keys and log entries: a computer whose own is wrong sees them all the same.
 * @returns milliseconds since 1970
 */
export const gatewayNow = (): number => Date.now() + ahead

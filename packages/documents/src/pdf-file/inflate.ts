import { constants, inflateRawSync, inflateSync } from 'node:zlib'

/** Of one stream that is read here: none but hostile ones are longer. */
const maxBytes = 32 * 1024 * 1024
const bounded = { maxOutputLength: maxBytes }

/** What deflated data says, as far as it can be read, and whether that is all of it (RFC 1950). */
export function inflate(data: Uint8Array): { data: Buffer; isWhole: boolean } {
  try {
    return { data: inflateSync(data, bounded), isWhole: true }
  } catch (error) {
    const isEarly = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR'
    // Some programs leave out the checksum at the end.
    const unchecked = isEarly ? attempt(() => inflateRawSync(data.subarray(2), bounded)) : undefined
    return unchecked ? { data: unchecked, isWhole: true } : { data: inflateStart(data), isWhole: false }
  }
}

/** The data up to the first byte at which reading fails, found by halves. */
function inflateStart(data: Uint8Array): Buffer {
  const open = { ...bounded, finishFlush: constants.Z_SYNC_FLUSH }
  let best: Buffer = Buffer.alloc(0)
  for (let [good, bad] = [0, data.length + 1]; bad - good > 1;) {
    const middle = (good + bad) >> 1
    const read = attempt(() => inflateSync(data.subarray(0, middle), open))
    if (read) [good, best] = [middle, read]
    else bad = middle
  }
  return best
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

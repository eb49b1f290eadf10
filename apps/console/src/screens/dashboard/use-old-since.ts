import { useEffect, useState } from 'react'
import { watch } from '../../api/live/watch.ts'

/** After three questions without an answer, what is shown may be true no longer. */
const oldAfterMs = 3 * watch.dashboard

interface Asked {
  /** Milliseconds since 1970; 0 before the first answer. */
  dataUpdatedAt: number
  /** The last question failed. */
  isRefetchError: boolean
}

/** Since when the answer that is shown is old: ISO 8601; undefined while it is fresh, or there is none. */
export function useOldSince({ dataUpdatedAt, isRefetchError }: Asked): string | undefined {
  const [oldAnswer, setOldAnswer] = useState(0)
  useEffect(() => {
    if (dataUpdatedAt === 0) return undefined
    // A computer that slept wakes up to a timer that is over.
    const timer = setTimeout(() => setOldAnswer(dataUpdatedAt), dataUpdatedAt + oldAfterMs - Date.now())
    return () => clearTimeout(timer)
  }, [dataUpdatedAt])
  const isOld = dataUpdatedAt !== 0 && (isRefetchError || oldAnswer === dataUpdatedAt)
  return isOld ? new Date(dataUpdatedAt).toISOString() : undefined
}

import { hashKey, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/**
 * State kept beside the answers, in memory alone: it outlives a look at another screen, and no log-out and no reload,
 * so that it may hold documents and secrets. Read without an observer, whose news come a moment later: a field would
 * lose what is typed meanwhile.
 * @param key unique among the keys of queries; the same array each time
 * @param initial until it is first changed; the same object each time
 */
export function useSessionState<Value>(
  key: QueryKey,
  initial: Value,
): [Value, (change: (value: Value) => Value) => void] {
  const queries = useQueryClient()
  const subscribe = useCallback(
    (listener: () => void) =>
      queries.getQueryCache().subscribe(({ query }) => {
        if (query.queryHash === hashKey(key)) listener()
      }),
    [queries, key],
  )
  const read = () => queries.getQueryData<Value>(key) ?? initial
  const value = useSyncExternalStore(subscribe, read)
  const change = useCallback(
    (next: (value: Value) => Value) => {
      queries.setQueryDefaults(key, { gcTime: Infinity })
      queries.setQueryData<Value>(key, (present) => next(present ?? initial))
    },
    [queries, key, initial],
  )
  return [value, change]
}

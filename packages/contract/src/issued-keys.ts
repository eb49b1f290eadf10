import type { ApiKey } from './routes/people/api-keys.ts'

/** The keys whose tokens a key was given, and those that their holders were given in turn. */
export function issuedThrough<K extends Pick<ApiKey, 'key_id' | 'issued_by'>>(keys: readonly K[], id: string): K[] {
  const holders = new Set([id])
  const found = new Set<K>()
  for (let size = 0; size !== holders.size;) {
    size = holders.size
    for (const key of keys) {
      if (key.key_id === id || key.issued_by === null || !holders.has(key.issued_by)) continue
      holders.add(key.key_id)
      found.add(key)
    }
  }
  return [...found]
}

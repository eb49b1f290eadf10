import type { Storage } from '../storage.ts'

/** The keys below a folder, in order. */
export async function keysIn(storage: Storage, folder: string): Promise<string[]> {
  const keys: string[] = []
  for await (const page of storage.list(folder)) keys.push(...page)
  return keys.sort()
}

/** 32 random hex characters. `crypto.randomUUID` would be missing on pages served over plain HTTP from another host. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const keptKeys = new Map<string, string>()

/**
 * Makes a call with an Idempotency-Key that is kept until the call succeeds: trying once more after a lost answer must
 * not send anything twice.
 * @param asked what the call does; the same for each try
 */
export async function withKeptKey<T>(
  asked: string,
  call: (options: { headers: Record<string, string> }) => Promise<T>,
) {
  const key = keptKeys.get(asked) ?? randomKey()
  keptKeys.set(asked, key)
  const answer = await call({ headers: { 'idempotency-key': key } })
  keptKeys.delete(asked)
  return answer
}

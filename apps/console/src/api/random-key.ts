/** 32 random hex characters. `crypto.randomUUID` would be missing on pages served over plain HTTP from another host. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

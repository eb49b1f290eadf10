import { hash, randomInt, timingSafeEqual } from 'node:crypto'

/** Crockford's base 32: no letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Fifty random bits: not to be found within five minutes, also by who reads the hash. */
const length = 10

/** A code to be read out and typed: "7K3QX-M4W9T". */
export function newCode(): string {
  const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`
}

/** SHA-256 as hex of a code as typed: hyphens, spaces and case do not count, and O is 0, I and L are 1. */
export function hashCode(typed: string): string {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return hash('sha256', plain)
}

/** Whether two hashes are the same, in a time that reports nothing. */
export function isSameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))
}

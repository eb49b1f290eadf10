import { hash, randomBytes } from 'node:crypto'

/** Imported keys begin with other letters. */
const shape = /^[a-z]{3}_live_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/

export function newKeyId(): string {
  return randomBytes(6).toString('hex')
}

/** A token for a key: `fdk_live_`, the key's id, and 256 random bits. */
export function newToken(keyId: string): string {
  return `fdk_live_${keyId}_${randomBytes(32).toString('base64url')}`
}

/** The id of the key that a token claims to be; undefined if it does not have the form of a token. */
export function keyIdOf(token: string): string | undefined {
  return shape.exec(token)?.[1]
}

/** The random part of a token, which imported keys have a hash of. */
export function secretOf(token: string): string | undefined {
  return shape.exec(token)?.[2]
}

/** SHA-256 of the whole token as hex: all that is kept of it. The token's 256 random bits need no slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

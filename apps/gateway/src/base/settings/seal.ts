import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** A sealed text does not open: another key sealed it, or it was changed. */
export class SealBroken extends Error {
  override name = 'SealBroken'
}

/**
 * Seals a text with AES-256-GCM (NIST SP 800-38D) under a fresh nonce. The key becomes an object first: Node takes five
 * times as long to begin with bytes.
 * @param name what the text belongs to: it opens under this name only
 * @returns nonce, tag and ciphertext as base64url
 */
export function seal(key: Buffer, name: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, createSecretKey(key), nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** @throws {SealBroken} */
export function unseal(key: Buffer, name: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, nonceBytes)
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
  if (tag.length < tagBytes) throw new SealBroken('The sealed text is cut short.')
  try {
    const decipher = createDecipheriv(algorithm, createSecretKey(key), nonce, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(name)).setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch (error) {
    throw new SealBroken('The key does not open the sealed text.', { cause: error })
  }
}

/** Sealing with one key. */
export interface Seals {
  seal: (name: string, text: string) => string
  /** @throws {SealBroken} */
  unseal: (name: string, sealed: string) => string
  /** 32 hexadecimal digits that are the same for the same text, and reveal nothing of it without the key. */
  fingerprint: (text: string) => string
  /** Proves to a holder of the same key that this is the same installation, without revealing the key. */
  prove: (challenge: string) => string
}

/** A key of its own for each purpose, so that what one discloses says nothing about another. */
const keyFor = (key: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32))

/** The key of fingerprints where the master key was never changed. */
export const firstFingerprintKey = (key: Buffer): Buffer => keyFor(key, 'faxdeck fingerprint')

/** @param ofFingerprints the key that fingerprints were made with when the master key was another one */
export function sealsOf(key: Buffer, ofFingerprints: Buffer = firstFingerprintKey(key)): Seals {
  const ofProofs = keyFor(key, 'faxdeck proof')
  return {
    seal: (name, text) => seal(key, name, text),
    unseal: (name, sealed) => unseal(key, name, sealed),
    fingerprint: (text) => createHmac('sha256', ofFingerprints).update(text).digest('hex').slice(0, 32),
    prove: (challenge) => createHmac('sha256', ofProofs).update(challenge).digest('hex'),
  }
}

/**
 * What is sealed with the master key and stored: each text opens under its name only. A new kind of sealed text is named
 * here, and a change of the master key (`upkeep/rotate-master-key.ts`) has to know where it is stored.
 */
export const sealNames = {
  savedSetting: (key: string) => key,
  fileLine: (key: string) => `file:${key}`,
  fingerprintKey: 'fingerprint key',
  wrappingKey: (id: string) => `wrapping key ${id}`,
  webhook: (endpointId: string) => `webhook:${endpointId}`,
  totp: (personId: string) => `totp ${personId}`,
  oidcLogin: 'oidc login',
  idToken: 'oidc id token',
}

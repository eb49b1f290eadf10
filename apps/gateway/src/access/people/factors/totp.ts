import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without padding (RFC 4648, 6): how authenticator apps take a secret that is typed. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function bytesOf(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** A secret of 160 bits, as RFC 4226 recommends, in base32. */
export const newTotpSecret = (): string => base32(randomBytes(secretBytes))

/** The time step of an instant (RFC 6238, 4). */
export const stepAt = (at: Date): number => Math.floor(at.getTime() / 1000 / stepSeconds)

/** The code of a time step with HMAC-SHA-1, which every authenticator app knows (RFC 4226, 5.3). @param secret base32 */
export function totpCode(secret: string, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

const isSame = (code: string, typed: string) =>
  /^\d{6}$/.test(typed) && timingSafeEqual(Buffer.from(code), Buffer.from(typed))

/**
 * The step whose code was typed: the present one, or one beside it for clocks that differ; undefined for none.
 * @param after the newest step that was used; no earlier one counts
 */
export function findStep(secret: string, typed: string, at: Date, after = 0): number | undefined {
  const now = stepAt(at)
  return [now - 1, now, now + 1].find((step) => step > after && isSame(totpCode(secret, step), typed))
}

/** What the QR code of a secret says, as authenticator apps read it. @param account whose secret it is */
export function totpUri(secret: string, account: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=${stepSeconds}`
}

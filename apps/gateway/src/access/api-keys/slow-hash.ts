import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

type Cost = { N: number; r: number; p: number; maxmem: number }
const deriveScrypt = promisify<string, Buffer, number, Cost, Buffer>(scrypt)
const derivePbkdf2 = promisify(pbkdf2)

const scryptShape = /^scrypt\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})\$n=(\d{1,5})\$r=(\d)\$p=(\d)$/
const pbkdf2Shape = /^pbkdf2\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})\$rounds=(\d{1,6})$/
/** What a hash may cost: it is worked out before anybody is known. */
const maxCost = { n: 32_768, r: 8, p: 1, rounds: 600_000 }
const bytesPerBlock = 128
const length = 32

/** Whether it is the hash of an imported key, with scrypt or PBKDF2, and not our SHA-256. */
export function isSlowHash(text: string): boolean {
  const [, , , n, r, p] = scryptShape.exec(text) ?? []
  if (n !== undefined) {
    // RFC 7914, section 2: the cost is a power of two.
    return (
      Number.isInteger(Math.log2(Number(n))) &&
      Number(n) > 1 &&
      Number(n) <= maxCost.n &&
      Number(r) <= maxCost.r &&
      Number(p) <= maxCost.p
    )
  }
  const rounds = pbkdf2Shape.exec(text)?.[3]
  return rounds !== undefined && Number(rounds) <= maxCost.rounds
}

function derive(secret: string, text: string): Promise<Buffer> {
  const [, salt = '', , n, r, p] = scryptShape.exec(text) ?? pbkdf2Shape.exec(text) ?? []
  const grains = Buffer.from(salt, 'base64url')
  if (r === undefined) return derivePbkdf2(secret, grains, Number(n), length, 'sha256')
  const cost = { N: Number(n), r: Number(r), p: Number(p) }
  return deriveScrypt(secret, grains, length, { ...cost, maxmem: 2 * bytesPerBlock * cost.N * cost.r })
}

/** Whether a secret has this hash, compared in constant time. Source: RFC 7914, RFC 8018. */
export async function matchesSlowHash(secret: string, text: string): Promise<boolean> {
  if (!isSlowHash(text)) return false
  const expected = Buffer.from(text.split('$')[2] ?? '', 'base64url')
  return timingSafeEqual(await derive(secret, text), expected)
}

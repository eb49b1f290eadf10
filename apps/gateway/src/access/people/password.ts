import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '../../base/http/answers/problem.ts'
import { breachedPasswords } from './breached.ts'

const minPasswordLength = 12

/** Memory in KiB, passes and lanes: the minimum of OWASP's Password Storage Cheat Sheet for argon2id. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const tagBytes = 32
/** How many hashes run at once, and how many wait: each takes 19 MiB, for callers that have not been authenticated yet. */
const atOnce = 2
const maxWaiting = 32

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= maxWaiting)
      throw new Problem('unavailable', 'Too many people are signing in at once. Try again shortly.', {
        retryAfterSeconds: 5,
      })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

const derive = (message: string, nonce: Buffer, how: { memory: number; passes: number; parallelism: number }) =>
  // Typed alike, the same password is the same bytes on every keyboard (NIST SP 800-63B, 5.1.1.2).
  promisify(argon2)('argon2id', { message: message.normalize('NFKC'), nonce, tagLength: tagBytes, ...how })

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** @returns the hash as a PHC string: algorithm, cost, salt and tag. @throws {Problem} `unavailable` when too many wait */
export function hashPassword(password: string): Promise<string> {
  return inTurn(async () => {
    const salt = randomBytes(saltBytes)
    const tag = await derive(password, salt, cost)
    return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`
  })
}

const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
/** What a password is compared with where there is none: it takes as long, and is never right. */
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(randomBytes(saltBytes))}$${base64(randomBytes(tagBytes))}`

/**
 * Whether a password is right; never for a hash of null, which takes as long to find out.
 * @throws {Problem} `unavailable` when too many wait
 */
export function isPassword(password: string, hash: string | null): Promise<boolean> {
  return inTurn(async () => {
    const [, memory, passes, parallelism, salt = '', tag = ''] = shape.exec(hash ?? nobody) ?? []
    const how = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
    const derived = await derive(password, Buffer.from(salt, 'base64'), how)
    return timingSafeEqual(derived, Buffer.from(tag, 'base64')) && hash !== null
  })
}

function faultOf(password: string, { name, email }: { name: string; email: string }): string | undefined {
  const typed = password.normalize('NFKC')
  const plain = typed.toLowerCase()
  if (typed.length < minPasswordLength)
    return `Choose at least ${minPasswordLength} characters. Several words are easy to remember and hard to guess.`
  if (breachedPasswords.has(plain) || new Set(plain).size < 5)
    return 'This password is among the first that attackers try. Choose another one.'
  // The longest first: an address of which the name was cut out is no address any more.
  const own = [name, email, email.split('@')[0] ?? '', 'faxdeck']
    .map((each) => each.normalize('NFKC').toLowerCase())
    .toSorted((a, b) => b.length - a.length)
  const rest = own.reduce((text, each) => (each.length >= 3 ? text.replaceAll(each, '') : text), plain)
  if (rest.length < 6) return 'This password is mostly your name or address. Choose another one.'
  return undefined
}

/** @throws {Problem} `invalid` for a password that is too easy to guess */
export function assertStrong(password: string, person: { name: string; email: string }): void {
  const message = faultOf(password, person)
  if (message !== undefined) throw new Problem('invalid', message, { fields: [{ field: 'password', message }] })
}

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '../../base/http/answers/problem.ts'

/**
 * Passwords of twelve characters and more that stand at the top of every published list of breached ones. Shorter ones
 * are refused for their length.
 */
const words = `
123456789012 1234567890123 12345678901234 123456789101112 1234567891011 123123123123 111111111111 000000000000
112233445566 121212121212 987654321012 012345678910 098765432109 147258369147 qwertyuiop12 qwertyuiop123
qwertyuiopasdfghjkl qwerty123456 qwerty1234567 qwertyqwerty qwertyuiop[] 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc
1qaz2wsx3edc4rfv qazwsxedcrfv zaq12wsxcde3 q1w2e3r4t5y6 asdfghjkl123 asdfasdfasdf zxcvbnmasdfghjkl zxcvbnm12345
abcdefghijkl abcdefghijklm abcd12345678 abcabcabcabc abc123abc123 a1b2c3d4e5f6 aaaaaaaaaaaa password1234 password12345
password123456 password123! password1234! password2024 password2025 password2026 passwordpassword mypassword123
p@ssw0rd1234 p@ssword1234 passw0rd1234 letmein12345 letmeinletmein welcome12345 welcome123456 welcome2025! welcome2026!
administrator administrator1 admin1234567 admin12345678 administrador changeme1234 changemechangeme iloveyou1234
iloveyouiloveyou ilovemyfamily iloveyousomuch sunshine1234 princess1234 football1234 baseball1234 superman1234
monkey123456 dragon123456 master123456 michael12345 jordan123456 trustno1trustno1 manchesterunited liverpoolfc123
unitedstates christopher1 spongebob123 computer1234 internet1234 google123456 facebook1234 samsung12345 winter202526
summer202526 hospital1234 medicine1234 doctor123456 nurse1234567 correcthorsebatterystaple thisismypassword
mynameisjeff qwerty098765 january12345 secret123456 testtesttest test12345678 temporary123 default12345 guest1234567
`

const breachedPasswords: ReadonlySet<string> = new Set(words.trim().split(/\s+/))

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

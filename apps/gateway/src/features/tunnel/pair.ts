import { type ApiKey, routes, type Scope } from '@faxdeck/contract'
import { issueKey } from '../../access/api-keys/issue.ts'
import type { Database } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import type { Events } from '../../base/events/events.ts'
import { MinuteCounter } from '../../base/http/callers/minute-counter.ts'
import { senderOf } from '../../base/http/callers/network.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { countWrongTry, keepCode, liveCodes, useCode } from './store.ts'
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
function isSameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))
}

interface PairingParts {
  database: Database
  events: Pick<Events, 'pairingCodeMade' | 'pairingRefused' | 'apiKeyCreated'>
  now: () => Date
}

/** What a paired device may do: everything but administer. */
const scopes: readonly Scope[] = ['fax:send', 'fax:read', 'inbound:list', 'inbound:read']
const lifeMs = 5 * 60_000
/** In a minute: codes made by one key, and wrong ones from one address. */
const maxPerMinute = 10
/** Wrong tries from all addresses and processes together, after which a code ends. */
const maxWrongTries = 50

const tooMany = 'Too many pairing codes. Try again in a minute.'

/** Codes that a device exchanges for a key of its own: one at a time, once, within five minutes. */
export class Pairing {
  readonly #parts: PairingParts
  readonly #made: MinuteCounter
  readonly #wrong: MinuteCounter

  constructor(parts: PairingParts) {
    this.#parts = parts
    this.#made = new MinuteCounter(parts.now)
    this.#wrong = new MinuteCounter(parts.now)
  }

  /** Makes a code; an earlier one that was not used ends. */
  async make(keyId: string): Promise<{ code: string; expires_at: string }> {
    this.#made.limit(keyId, maxPerMinute, tooMany)
    const { database, events, now } = this.#parts
    const code = newCode()
    const made = now()
    const expires_at = new Date(made.getTime() + lifeMs).toISOString()
    await transact(database, async (tx) => {
      await keepCode(tx, { code_sha256: hashCode(code), created_by: keyId, expires_at, wrong_tries: 0 })
      await events.pairingCodeMade({ key_id: keyId }, tx)
    })
    return { code, expires_at }
  }

  /**
   * Exchanges a code for a key.
   * @throws {Problem} `pairing_refused`; `rate_limited` after ten wrong ones from an address in a minute
   */
  async redeem(typed: string, name: string | null, address: string): Promise<ApiKey & { token: string }> {
    const sender = senderOf(address)
    this.#wrong.stop(sender, maxPerMinute, tooMany)
    const sha256 = hashCode(typed)
    const { database, events, now } = this.#parts
    const issued = await transact(database, async (tx) => {
      const live = await liveCodes(tx, now().toISOString())
      const matching = live.filter((row) => isSameHash(row.code_sha256, sha256))
      const [code] = matching
      if (!code || !(await useCode(tx, sha256))) return undefined
      return issueKey(
        tx,
        events,
        { name, owner: null, scopes, fax_access: 'by_id', expires_at: null, by: code.created_by },
        now(),
      )
    })
    if (issued) return issued
    // Of many that come at once, no more are recorded than of those that come one after the other.
    const isRecorded = this.#wrong.count(sender) <= maxPerMinute
    await transact(database, async (tx) => {
      await countWrongTry(tx, maxWrongTries)
      if (isRecorded) await events.pairingRefused({ path: routes.redeemPairing.path, address }, tx)
    })
    throw new Problem('pairing_refused')
  }
}

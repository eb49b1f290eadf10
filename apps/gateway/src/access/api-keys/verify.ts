import { timingSafeEqual } from 'node:crypto'
import { type Scope, scopes } from '@faxdeck/contract'
import type { ApiKeyRow } from '../../base/db/tables/keys.ts'
import {
  type Actor,
  holderOf,
  type KeyHolder,
  type Keys,
  type ReceivedLimit,
  type Verified,
} from '../../base/http/callers/keys.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { adoptSecret, findKey, touchKey } from './store.ts'
import { isSlowHash, matchesSlowHash } from './slow-hash.ts'
import { hashToken, keyIdOf, secretOf } from './token.ts'
import type { Reader } from '../../base/db/database.ts'

interface VerifierParts {
  db: Reader
  /** The installation's own key, as it is now. */
  bootstrapKey: () => string
  now: () => Date
  /** Called when the time of last use could not be written; the call itself goes on. */
  onTouchFailed: (error: unknown) => void
}

interface Known {
  holder: Actor
  /** Milliseconds since 1970 until which the database need not be asked. */
  freshUntil: number
}

const freshMs = 2000
const touchMs = 60_000
const maxKnown = 10_000
const maxSlow = 8
const bootstrap = holderOf('bootstrap', new Set(scopes))

function same(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))
}

export function scopesOf(row: ApiKeyRow): Scope[] {
  const granted = row.scopes.split(',')
  return scopes.filter((scope) => granted.includes(scope))
}

/** The received faxes that a key is limited to; null for no limit. */
export const limitOf = ({ received_only: limit }: ApiKeyRow): ReceivedLimit | null =>
  limit === null ? null : (JSON.parse(limit) as ReceivedLimit)

/** Who holds a key. */
export const heldBy = (row: ApiKeyRow): KeyHolder =>
  holderOf(row.key_id, new Set(scopesOf(row)), row.fax_access, {
    limit: limitOf(row),
    mayDelete: row.received_delete === 1,
  })

/** Verifies tokens: by their SHA-256, in constant time, asking the database at most every two seconds per token. */
export class KeyVerifier implements Keys {
  readonly #parts: VerifierParts
  readonly #listeners = new Set<() => void>()
  #bootstrapHash: string
  /** By the hash of the token: to find an entry, one must know the token. */
  readonly #known = new Map<string, Known>()
  readonly #touched = new Map<string, number>()
  #forgotten = 0
  readonly #slow = new Map<string, Promise<boolean>>()

  constructor(parts: VerifierParts) {
    this.#parts = parts
    this.#bootstrapHash = hashToken(parts.bootstrapKey())
  }

  async verify(token: string): Promise<Verified> {
    const sha256 = hashToken(token)
    if (same(sha256, this.#bootstrapHash)) return bootstrap
    const known = this.#known.get(sha256)
    const now = this.#parts.now().getTime()
    // A clock that was set back must not make an answer last.
    if (known && now < known.freshUntil && known.freshUntil - now <= freshMs) return this.#used(known.holder, now)
    const keyId = keyIdOf(token)
    return keyId === undefined ? undefined : this.#ask(keyId, sha256, token)
  }

  wasValid(token: string): boolean {
    const sha256 = hashToken(token)
    return same(sha256, this.#bootstrapHash) || this.#known.has(sha256)
  }

  /** A key was revoked or replaced: asks the database again at the next use of any, and notifies the holders of open answers. */
  forget(): void {
    this.#forgotten++
    for (const known of this.#known.values()) known.freshUntil = 0
    this.#bootstrapHash = hashToken(this.#parts.bootstrapKey())
    for (const listener of this.#listeners) listener()
  }

  onEnded(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async #ask(keyId: string, sha256: string, token: string): Promise<Verified> {
    const before = this.#forgotten
    const row = await findKey(this.#parts.db, keyId)
    const isRight = row !== undefined && (await this.#isRight(row, sha256, token))
    // What was read may be older than the change that forget() announced.
    if (before !== this.#forgotten) return this.#ask(keyId, sha256, token)
    const now = this.#parts.now().getTime()
    const expires = row?.expires_at ? Date.parse(row.expires_at) : Number.POSITIVE_INFINITY
    if (!isRight || expires <= now) {
      this.#known.delete(sha256)
      return isRight ? 'expired' : undefined
    }
    const holder = heldBy(row)
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(sha256, { holder, freshUntil: Math.min(now + freshMs, expires) })
    return this.#used(holder, now)
  }

  /**
   * Whether the token is that of the key. An imported key has a slow hash until its first use, and ours from then on. Few
   * are worked out at once: a stranger may ask as often as a holder.
   */
  async #isRight({ key_id: keyId, secret_sha256: kept }: ApiKeyRow, sha256: string, token: string): Promise<boolean> {
    if (!isSlowHash(kept)) return same(sha256, kept)
    const underWay = this.#slow.get(sha256)
    if (underWay) return underWay
    if (this.#slow.size >= maxSlow) throw new Problem('unavailable', 'Many keys are being checked. Try again shortly.')
    const asked = this.#isSlowlyRight(keyId, kept, sha256, token).finally(() => this.#slow.delete(sha256))
    this.#slow.set(sha256, asked)
    return asked
  }

  async #isSlowlyRight(keyId: string, kept: string, sha256: string, token: string): Promise<boolean> {
    if (!(await matchesSlowHash(secretOf(token) ?? '', kept))) return false
    await adoptSecret(this.#parts.db, keyId, { kept, sha256 }).catch(this.#parts.onTouchFailed)
    return true
  }

  #used(holder: Actor, now: number): Actor {
    const { keyId } = holder
    if (now - (this.#touched.get(keyId) ?? 0) >= touchMs) {
      this.#touched.set(keyId, now)
      touchKey(this.#parts.db, keyId, new Date(now).toISOString()).catch(this.#parts.onTouchFailed)
    }
    return holder
  }
}

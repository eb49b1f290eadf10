import type { IncomingMessage } from 'node:http'
import { type Permission, permissions, type RateGroup, type RouteRow, scopeFor } from '@faxdeck/contract'
import type { FastifyRequest } from 'fastify'
import type { CoreSettings } from '@faxdeck/settings'
import type { Events } from '../../events/events.ts'
import type { Caller } from '../handler.ts'
import { allowances, type Budget, type BudgetSettings } from './budget.ts'
import { type Actor, holderOf, isTokenHolder, receivedOnly, type Keys } from './keys.ts'
import { MinuteCounter } from './minute-counter.ts'
import { isLoopback, type Network, networkOf, type NetworkSettings, senderOf } from './network.ts'
import { type Origin, originOf } from './origin.ts'
import { Problem } from '../answers/problem.ts'
import { multipartFrame, tooLarge, uploadLimit, type UploadSettings } from '../upload-limit.ts'
import { assertOwnPage, isUnsafe, type SessionUse, sessionTokenOf } from './session-cookie.ts'

export type GuardSettings = NetworkSettings &
  BudgetSettings &
  UploadSettings &
  Pick<CoreSettings, 'require_api_key' | 'base_path'>

interface GuardOptions {
  /** The settings in force; the same object as long as nothing changes. */
  settings: () => GuardSettings
  keys: Keys
  /**
   * Who the access token of a request stands for, where such tokens are taken.
   * @throws {Problem} `unauthorized` for one that is refused
   */
  holderOfToken?: (request: FastifyRequest) => Promise<Actor | undefined>
  /** Who the session of a browser belongs to; undefined when it is over. */
  personOf?: (token: string, use: SessionUse) => Promise<Actor | undefined>
  events: Pick<Events, 'loginFailed' | 'apiKeyDeniedScope' | 'permissionDenied' | 'rateLimited' | 'apiError'>
  now: () => Date
  /** Whether the disk is full, and room that was kept back is in use. */
  isDiskFull?: () => boolean
}

const failedKeysPerMinute = 10
const expired = 'This key has expired. Create a new one under Settings, Keys, or ask your administrator for one.'
const seesOwn =
  'This key sees only faxes sent with it, and no received faxes. To read these, create a key that sees all faxes.'
const notMadeToDelete =
  'This key may not delete received faxes. Create one that may (received_delete), or use one with keys:manage.'
const anonymous = holderOf('anonymous', new Set(['fax:send', 'fax:read', 'inbound:list', 'inbound:read']))

function tokenOf(request: FastifyRequest): string | undefined {
  const key = request.headers['x-api-key']
  if (typeof key === 'string' && key !== '') return key
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** The guards of every route, in the order in which they stand. */
export class Guards {
  readonly #options: GuardOptions
  readonly #failures: MinuteCounter
  readonly #calls: MinuteCounter
  readonly #denials: MinuteCounter
  readonly #faults: MinuteCounter
  /** Requests whose session was asked for before. */
  readonly #seen = new WeakSet<FastifyRequest>()
  #settings: GuardSettings | undefined
  #network: Network | undefined

  constructor(options: GuardOptions) {
    this.#options = options
    this.#failures = new MinuteCounter(options.now)
    this.#calls = new MinuteCounter(options.now)
    this.#denials = new MinuteCounter(options.now)
    this.#faults = new MinuteCounter(options.now)
  }

  /** Calls `listener` when a key was revoked or replaced; returns how to stop. */
  onKeysEnded(listener: () => void): () => void {
    return this.#options.keys.onEnded(listener)
  }

  /** Whether only what makes room, and must go on, may write. */
  isDiskFull(): boolean {
    return this.#options.isDiskFull?.() ?? false
  }

  /** The settings in force. */
  settings(): GuardSettings {
    return this.#options.settings()
  }

  /** The network rules of the settings in force. */
  network(): Network {
    const settings = this.#options.settings()
    if (this.#network && this.#settings === settings) return this.#network
    this.#settings = settings
    this.#network = networkOf(settings)
    return this.#network
  }

  originOf(request: FastifyRequest): Origin {
    return originOf({ headers: request.headers, socket: request.socket }, this.network())
  }

  /** Whether a request comes from the private side: this machine or INTERNAL_ALLOWED_CIDRS. */
  isInternal(request: FastifyRequest): boolean {
    const { address, hidden } = this.originOf(request)
    return !hidden && this.network().isInternal(address)
  }

  /** First of all, also for callbacks: a request means one host, whichever way it names it (RFC 9112, 3.2). */
  checkTarget({ rawHeaders, url = '', headers }: IncomingMessage): void {
    const named = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    if (named.length > 1) throw new Problem('bad_request', 'The request names more than one host.')
    if (url.startsWith('/') || url === '*') return
    const target = URL.parse(url)?.host
    if (target === undefined || target !== URL.parse(`http://${headers.host}`)?.host) {
      throw new Problem('host_refused', 'The request URL and its Host header name different hosts.')
    }
  }

  /** Then: both Host and Origin are ours. */
  checkHost(request: FastifyRequest): void {
    const { host, origin } = request.headers
    const network = this.network()
    if (host === undefined || !network.answersTo(host)) throw new Problem('host_refused')
    // A page of another site can post a form to us, and its browser says so here.
    if (origin !== undefined && !network.isOwnPage(origin, host)) {
      throw new Problem('host_refused', 'Pages from other sites can’t call this gateway.')
    }
  }

  /** Whether a call answers this caller at all, whatever the key. */
  checkZone(row: RouteRow, origin: Origin): void {
    if (row.zone === undefined) this.checkLocal(origin)
  }

  /** Then, of a call that keys are made for: whoever administers makes it from where they make every other. */
  checkGranted(row: RouteRow, caller: Caller, origin: Origin): void {
    if (row.zone === 'granted' && caller.permissions.has('manage_keys')) this.checkLocal(origin)
  }

  checkLocal({ address, hidden }: Origin): void {
    if (hidden) {
      throw new Problem(
        'admin_local_only',
        'The request came through a proxy. Add the proxy to TRUSTED_PROXIES, and the admin networks to ADMIN_ALLOWED_CIDRS.',
      )
    }
    if (!this.network().mayAdminister(address)) throw new Problem('admin_local_only')
  }

  /** What the sender announces; what really arrives is counted while it is read. */
  checkSize(row: RouteRow, request: FastifyRequest): void {
    if (!row.form) return
    const settings = this.#options.settings()
    if (Number(request.headers['content-length'] ?? 0) > uploadLimit(settings) + multipartFrame)
      throw tooLarge(settings)
  }

  /** Who calls. What they may do is for `admit` or `permit` to say. */
  async identify(request: FastifyRequest, origin: Origin): Promise<Caller> {
    const token = tokenOf(request)
    if (token !== undefined) return { ...(await this.#holderOf(token, request, origin)), address: origin.address }
    const person = await this.#personOf(request, origin)
    return { ...(person ?? this.#withoutKey(origin)), address: origin.address }
  }

  /** Who calls, once they are found to be allowed to. @param takesTokens whether access tokens count as well */
  async admit(permission: Permission, request: FastifyRequest, origin: Origin, takesTokens = false): Promise<Caller> {
    const holder = takesTokens ? await this.#options.holderOfToken?.(request) : undefined
    const caller = holder ? { ...holder, address: origin.address } : await this.identify(request, origin)
    await this.require(permission, caller)
    return caller
  }

  /** What a row asks of a caller who is known already. */
  async permit(row: RouteRow, caller: Caller, origin: Origin): Promise<void> {
    this.checkZone(row, origin)
    if (row.permission !== null) await this.require(row.permission, caller)
    this.checkGranted(row, caller, origin)
    this.checkConfirmed(row, caller)
    if (row.rate) await this.countCall(row.rate, caller)
  }

  /** @throws {Problem} `forbidden`, which is recorded; `unauthorized` for a caller without a key */
  async require(permission: Permission, caller: Caller): Promise<void> {
    if (caller.permissions.has(permission)) return
    if (caller.keyId === anonymous.keyId) throw new Problem('unauthorized')
    if (caller.mustEnrol) throw new Problem('factor_required')
    if (caller.kind === 'person') {
      await this.#recordDenial(caller, permission)
      throw new Problem('forbidden', `Your role does not include: ${permissions[permission]}. Ask an administrator.`)
    }
    const scope = scopeFor(permission)
    await this.#recordDenial(caller, scope)
    if (caller.faxAccess === 'own' && receivedOnly.has(permission)) throw new Problem('forbidden', seesOwn)
    if (permission === 'delete_received') throw new Problem('forbidden', notMadeToDelete)
    const credential = isTokenHolder(caller.keyId) ? 'token' : 'key'
    throw new Problem('forbidden', `This ${credential} lacks the scope ${scope}.`)
  }

  /** A cookie that was stolen, or a console left open, must not do what `confirm` marks. @throws {Problem} `confirmation_required` */
  checkConfirmed({ confirm }: RouteRow, { kind, confirmed }: Caller): void {
    if (confirm && kind === 'person' && !confirmed) throw new Problem('confirmation_required')
  }

  /** Records that a call failed by our own fault, once a minute per route. */
  async recordFault(route: string, status: number): Promise<void> {
    if (this.#faults.count(`${status} ${route}`) > 1) return
    await this.#options.events.apiError({ path: route, status: String(status) })
  }

  // Once a minute tells what happens; a caller in a loop must not fill the audit trail.
  async #recordDenial({ kind, keyId: key_id }: Caller, required: string): Promise<void> {
    if (this.#denials.count(`${key_id} ${required}`) > 1) return
    const { events } = this.#options
    await (kind === 'person' ? events.permissionDenied : events.apiKeyDeniedScope)({ key_id, required })
  }

  /** @throws {Problem} `unauthorized` for a session that is over: it must not pass for a program on this machine */
  async #personOf(request: FastifyRequest, origin: Origin): Promise<Actor | undefined> {
    const session = sessionTokenOf(request, this.#options.settings().base_path)
    if (session === undefined || !this.#options.personOf) return undefined
    // People work where the console answers, whatever else they call.
    this.checkLocal(origin)
    assertOwnPage(request)
    const isNew = !this.#seen.has(request)
    this.#seen.add(request)
    const person = await this.#options.personOf(session, { isThere: isUnsafe(request), isNew })
    if (!person) throw new Problem('unauthorized', 'Your session has ended. Sign in again.')
    return person
  }

  #withoutKey(origin: Origin): Actor {
    const open = !this.#options.settings().require_api_key && !origin.hidden && isLoopback(origin.address)
    if (!open) throw new Problem('unauthorized')
    return anonymous
  }

  async #holderOf(token: string, request: FastifyRequest, { address }: Origin): Promise<Actor> {
    const { keys, events } = this.#options
    const sender = senderOf(address)
    if (this.#failures.seen(sender) >= failedKeysPerMinute && !keys.wasValid(token)) {
      const retryAfterSeconds = this.#failures.secondsLeft()
      throw new Problem('rate_limited', 'Too many wrong keys from this address. Try again in a minute.', {
        retryAfterSeconds,
      })
    }
    const holder = await keys.verify(token)
    if (holder && holder !== 'expired') return holder
    // Of many that come at once, no more are recorded than of those that come one after the other.
    const isRecorded = this.#failures.count(sender) <= failedKeysPerMinute
    if (isRecorded) await events.loginFailed({ path: request.routeOptions.url ?? '', address })
    // Only its holder is told: the secret was right.
    throw new Problem('unauthorized', holder === 'expired' ? expired : undefined)
  }

  /**
   * Counts a call that has an allowance.
   * @param tell what is left of it, whether the call is refused or not
   * @throws {Problem} `rate_limited`
   */
  async countCall(group: RateGroup, caller: Caller, notify?: (budget: Budget) => void): Promise<void> {
    const limit = allowances[group](this.#options.settings())
    if (limit === 0) return
    const seen = this.#calls.count(`${caller.keyId} ${group}`)
    const retryAfterSeconds = this.#calls.secondsLeft()
    notify?.({ group, limit, remaining: Math.max(0, limit - seen), resetSeconds: retryAfterSeconds })
    if (seen <= limit) return
    if (seen === limit + 1) await this.#options.events.rateLimited({ path: group, key_id: caller.keyId, limit })
    throw new Problem('rate_limited', `More than ${limit} calls in a minute. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    })
  }
}

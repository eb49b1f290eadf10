import { setTimeout as delay } from 'node:timers/promises'
import type { Configuration } from 'openid-client'
import type { GatewayContext } from '../../../base/context.ts'
import type { PersonSessionRow } from '../../../base/db/tables/people.ts'
import { transact } from '../../../base/db/transact.ts'
import { consolePath } from '../../../base/http/console.ts'
import { MinuteCounter } from '../../../base/http/callers/minute-counter.ts'
import { senderOf } from '../../../base/http/callers/network.ts'
import { Problem } from '../../../base/http/answers/problem.ts'
import { sealNames } from '../../../base/settings/seal.ts'
import { openSession } from '../open-session.ts'
import { hashToken, newToken, type Place, type Sessions } from '../sessions.ts'
import { bySelf } from '../sign-in.ts'
import { admit } from './admit.ts'
import { bindingCookie, bindingOf, loginMinutes } from './browser-cookie.ts'
import { type Claims, type Identity, identityOf, sidOf } from './claims.ts'
import { loadLibrary, type OidcProvider } from './provider.ts'
import { codesOf, refusalOf } from './refusal.ts'
import { hasLoggedOut, lockLogouts } from './remembered-logouts.ts'
import { insertLogin, keepOrigin, takeLogin } from './store.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** What is needed to finish a sign-in, kept sealed. */
interface Pending {
  nonce: string
  verifier: string
  redirect: string
  issuer: string
  clientId: string
  /** Whether the person was to prove who they are once more. */
  again: boolean
}

interface Redeemed {
  identity: Identity
  claims: Claims
  /** Kept where the provider offers to end its own session. */
  idToken: string | undefined
  /** When the person proved to the provider who they are; undefined where it does not say. */
  provedAt: Date
  /** When the ID token was issued, in seconds since 1970. */
  issuedAt: number
}

/** Of one address: neither rows nor entries of the audit trail are to be had without end. */
const triesPerMinute = 60
const stale = 'This sign-in has expired, was used already or began in another browser. Sign in again.'
/** A longer token is left out of the address at which the provider ends its session. */
const longestHint = 4096
const endWithinMs = 2000
const signedOut = 'You signed out at the sign-in provider meanwhile. Sign in again.'

const yearSeconds = 365 * 24 * 3600

/**
 * When the person proved to the provider who they are. One that does not say so is believed where it was told to ask;
 * otherwise an earlier sign-in of its own may have let them in, however long ago.
 * @param seconds of its `auth_time`
 */
function provedBy(seconds: number | undefined, again: boolean, now: Date): Date {
  if (seconds !== undefined) return new Date(Math.min(seconds * 1000, now.getTime()))
  return again ? now : new Date(0)
}

/** Single sign-on: the authorization code flow with PKCE (OpenID Connect Core 1.0, RFC 7636, RFC 9700). */
export class SingleSignOn {
  readonly #context: GatewayContext
  readonly #sessions: Sessions
  readonly #provider: OidcProvider
  readonly #tries: MinuteCounter

  constructor(context: GatewayContext, sessions: Sessions, provider: OidcProvider) {
    this.#context = context
    this.#sessions = sessions
    this.#provider = provider
    this.#tries = new MinuteCounter(context.now)
  }

  /** What the login shows; null where single sign-on is not set up. */
  offered(): { label: string } | null {
    const { oidc_issuer: issuer, oidc_client_id: id, oidc_label: label } = this.#context.settings.current()
    return issuer && id ? { label } : null
  }

  #assertOpen(address: string): void {
    if (!this.offered()) throw new Problem('conflict', 'Single sign-on is not set up here.')
    this.#tries.limit(senderOf(address), triesPerMinute, 'Too many sign-ins from this address. Try again in a minute.')
  }

  #consoleAt(headers: Headers): string {
    const { base_path: base } = this.#context.settings.current()
    // The guards have found the origin to be ours; it is the address that the browser uses, also behind a proxy.
    if (headers['origin'] === undefined) throw new Problem('host_refused', 'Sign in from the console’s login screen.')
    return `${headers['origin']}${base ?? ''}${consolePath}`
  }

  async #configuration(): Promise<Configuration> {
    return this.#provider.configuration().catch((error: unknown) => {
      this.#context.log.warn(codesOf(error), 'The single sign-on provider can’t be used')
      throw refusalOf(error, true)
    })
  }

  /**
   * @param again whether the provider asks also whom it knows already, and says when it asked
   * @returns where the browser goes, and the cookie that binds the sign-in to it
   */
  async start(headers: Headers, address: string, again: boolean): Promise<{ url: string; cookie: string }> {
    this.#assertOpen(address)
    const { database, settings, now } = this.#context
    const redirect = this.#consoleAt(headers)
    const configuration = await this.#configuration()
    const library = await loadLibrary()
    const [state, browser, nonce] = [newToken(), newToken(), newToken()]
    const verifier = library.randomPKCECodeVerifier()
    const { oidc_client_id: clientId, base_path: base, oidc_issuer: issuer } = settings.current()
    const pending = { nonce, verifier, redirect, issuer, clientId, again }
    await insertLogin(database.db, {
      state_sha256: hashToken(state),
      browser_sha256: hashToken(browser),
      sealed: settings.seals.seal(sealNames.oidcLogin, JSON.stringify(pending)),
      expires_at: new Date(now().getTime() + loginMinutes * 60_000).toISOString(),
    })
    const url = library.buildAuthorizationUrl(configuration, {
      scope: 'openid email profile',
      redirect_uri: redirect,
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Asked for an age, the provider has to say when it saw the person (OpenID Connect Core, 3.1.2.1).
      ...(again ? { prompt: 'login', max_age: '0' } : { max_age: String(yearSeconds) }),
    })
    return { url: url.href, cookie: bindingCookie(browser, headers, base) }
  }

  /** Takes the sign-in that an answer belongs to: once, and only in the browser where it began. */
  async #take(state: string | null, headers: Headers): Promise<Pending> {
    const { database, settings, now } = this.#context
    const browser = bindingOf(headers, settings.current().base_path)
    if (!state || browser === undefined) throw new Problem('sign_in_refused', stale)
    const taken = await takeLogin(database.db, hashToken(state), hashToken(browser), now().toISOString())
    if (!taken) throw new Problem('sign_in_refused', stale)
    const pending = JSON.parse(settings.seals.unseal(sealNames.oidcLogin, taken.sealed)) as Pending
    const { oidc_issuer: issuer, oidc_client_id: clientId } = settings.current()
    // The settings may name another provider by now, which must not be asked about this one's code.
    if (pending.issuer !== issuer || pending.clientId !== clientId) throw new Problem('sign_in_refused', stale)
    return pending
  }

  async #redeem(answer: URLSearchParams, headers: Headers): Promise<Redeemed> {
    const state = answer.get('state')
    const { nonce, verifier, redirect, again } = await this.#take(state, headers)
    const configuration = await this.#configuration()
    const library = await loadLibrary()
    const arrived = new URL(redirect)
    arrived.search = answer.toString()
    const granted = await library.authorizationCodeGrant(configuration, arrived, {
      expectedState: state ?? '',
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const own = granted.claims()
    if (!own) throw new Problem('sign_in_refused', stale)
    const { issuer, userinfo_endpoint: more, end_session_endpoint: end } = configuration.serverMetadata()
    const { oidc_role_claim: roleClaim } = this.#context.settings.current()
    const isShort = own['email'] === undefined || (roleClaim !== null && own[roleClaim] === undefined)
    const asked = isShort && more ? await library.fetchUserInfo(configuration, granted.access_token, own.sub) : {}
    // What is said of the address is said by whoever names it.
    const { email, email_verified, xms_edov }: Claims = own['email'] === undefined ? asked : own
    const claims: Claims = { ...asked, ...own, email, email_verified, xms_edov }
    const idToken = end === undefined ? undefined : granted.id_token
    const provedAt = provedBy(own.auth_time, again, this.#context.now())
    const identity = identityOf(issuer, { ...claims, sub: own.sub })
    return { identity, claims, idToken, provedAt, issuedAt: own.iat }
  }

  /**
   * Signs somebody in with what the provider's page brought back: the query of the address.
   * @throws {Problem} `sign_in_refused` or `unavailable`, with a sentence for the person
   */
  async finish(answer: string, headers: Headers, place: Place) {
    this.#assertOpen(place.address)
    const { events, log } = this.#context
    try {
      return await this.#enter(await this.#redeem(new URLSearchParams(answer), headers), place)
    } catch (error) {
      log.warn(codesOf(error), 'Single sign-on failed')
      await events.signInFailed({ person: null, address: place.address })
      throw refusalOf(error)
    }
  }

  async #enter({ identity, claims, idToken, provedAt, issuedAt }: Redeemed, place: Place) {
    const { database, events, settings } = this.#context
    const sid = sidOf(claims)
    const entered = await transact(database, async (tx) => {
      await lockLogouts(tx, database.engine, 'shared')
      if (await hasLoggedOut(tx, { ...identity, sid, issuedAt })) throw new Problem('sign_in_refused', signedOut)
      const { person, refusal } = await admit(this.#context, tx, identity, claims)
      if (refusal) return refusal
      const opened = await openSession(this.#context, this.#sessions, tx, { person, how: 'oidc', place, provedAt })
      const id_token = idToken === undefined ? null : settings.seals.seal(sealNames.idToken, idToken)
      await keepOrigin(tx, opened.row.id, { id_token, oidc_sid: sid })
      await events.personSignedIn({ ...bySelf(person), address: place.address, how: 'oidc' }, tx)
      return opened
    })
    if (entered instanceof Problem) throw entered
    return entered
  }

  /** Without it a provider may ask the person once more; a signing out must not fail for it. */
  #hintOf(sealed: string): string | undefined {
    try {
      const token = this.#context.settings.seals.unseal(sealNames.idToken, sealed)
      return token.length > longestHint ? undefined : token
    } catch {
      return undefined
    }
  }

  /** Where the provider ends its own session; null for other sessions, and where it offers none or can't be asked now. */
  async endUrl({ id_token: sealed }: Pick<PersonSessionRow, 'id_token'>, headers: Headers): Promise<string | null> {
    if (sealed === null || !this.offered()) return null
    const late = delay(endWithinMs, undefined, { ref: false })
    const configuration = await Promise.race([this.#provider.configuration().catch(() => undefined), late])
    if (!configuration?.serverMetadata().end_session_endpoint) return null
    const library = await loadLibrary()
    const token = this.#hintOf(sealed)
    return library.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: this.#consoleAt(headers),
      ...(token === undefined ? {} : { id_token_hint: token }),
    }).href
  }
}

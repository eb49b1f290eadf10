import { Refusals } from '../../../base/http/callers/refusals.ts'
import type { GatewayContext } from '../../../base/context.ts'
import { transact } from '../../../base/db/transact.ts'
import { MinuteCounter } from '../../../base/http/callers/minute-counter.ts'
import { Problem } from '../../../base/http/answers/problem.ts'
import { hashToken } from '../sessions.ts'
import { type LogoutToken, readLogoutToken } from './logout-token.ts'
import type { OidcProvider } from './provider.ts'
import { lockLogouts, rememberedUntil, rememberLogout } from './remembered-logouts.ts'
import { endFromProvider, takeLogout } from './store.ts'
import type { FastifyInstance } from 'fastify'
import type { Guards } from '../../../base/http/callers/guards.ts'
import { senderOf } from '../../../base/http/callers/network.ts'

/** Where the provider posts logout tokens. */
const logoutPath = '/oidc/backchannel-logout'
/** Tokens of one sender that were not believed: more are refused for the rest of the minute. */
const refusedPerMinute = 60

/** Ends sessions when their people sign out at the provider (OpenID Connect Back-Channel Logout 1.0). */
export class BackchannelLogout {
  readonly #context: GatewayContext
  readonly #provider: OidcProvider
  readonly #refused: MinuteCounter
  readonly #refusals: Refusals

  constructor(context: GatewayContext, provider: OidcProvider) {
    const { events, log, now } = context
    this.#context = context
    this.#provider = provider
    this.#refused = new MinuteCounter(now)
    this.#refusals = new Refusals({
      record: (facts) => events.callbackRefused(facts),
      onFailure: (error) => log.error({ err: error }, 'Refused logout tokens could not be recorded.'),
    })
  }

  /**
   * Takes a logout token.
   * @param sender who posts it, as far as senders are distinguished
   * @throws {Problem} with what is wrong with it
   */
  async take(token: string | null, sender: string): Promise<void> {
    this.#refused.stop(sender, refusedPerMinute, 'Too many rejected tokens. Try again in a minute.')
    try {
      await this.#end(await this.#read(token))
    } catch (error) {
      if (error instanceof Problem && error.code === 'bad_request') {
        this.#refused.count(sender)
        await this.#refusals.add({ path: logoutPath, backend: 'single-sign-on', address: sender })
      }
      throw error
    }
  }

  async #read(token: string | null): Promise<LogoutToken> {
    const { settings, now } = this.#context
    const { oidc_issuer: issuer, oidc_client_id: clientId } = settings.current()
    if (!issuer || !clientId) throw new Problem('bad_request', 'Single sign-on is not set up here.')
    if (!token) throw new Problem('bad_request', 'The form has no logout_token, or more than one.')
    return readLogoutToken(token, { issuer, clientId, now: now() }, () => this.#provider.signer())
  }

  async #end(token: LogoutToken): Promise<void> {
    const { database, events, now } = this.#context
    const expires_at = rememberedUntil(now())
    await transact(database, async (tx) => {
      await lockLogouts(tx, database.engine, 'alone')
      const isNew = await takeLogout(tx, { token_sha256: hashToken(`${token.issuer} ${token.id}`), expires_at })
      if (!isNew) throw new Problem('bad_request', 'The logout token was already used.')
      await rememberLogout(tx, token, token.issuedAt)
      const people = Map.groupBy(await endFromProvider(tx, token), ({ id }) => id)
      if (people.size === 0) return
      await database.signals.notify(tx, 'keys')
      for (const [person, [{ name } = { name: '' }, ...more]] of people) {
        await events.sessionsEnded({ key_id: 'single-sign-on', person, name, count: 1 + more.length }, tx)
      }
    })
  }

  /** Records what was only counted so far. */
  close = (): Promise<void> => this.#refusals.close()
}

/** Bytes of a form: a token has a few hundred. */
const largestForm = 16 * 1024

function tokenIn(form: unknown): string | null {
  const [token = null, ...more] = form instanceof URLSearchParams ? form.getAll('logout_token') : []
  return more.length === 0 ? token : null
}

/** Serves the address at which the provider of single sign-on says that somebody has signed out there. */
export function serveLogouts(app: FastifyInstance, guards: Guards, logouts: BackchannelLogout): void {
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers()
    const form = { parseAs: 'string', bodyLimit: largestForm } as const
    scope.addContentTypeParser<string>('application/x-www-form-urlencoded', form, (_request, body, done) =>
      done(null, new URLSearchParams(body)),
    )
    // The provider calls from wherever it is, as those of callbacks do.
    scope.post(logoutPath, { config: { webhook: true }, bodyLimit: largestForm }, async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      await logouts.take(tokenIn(request.body), senderOf(guards.originOf(request).address))
      return reply.status(200).send()
    })
    ready()
  })
}

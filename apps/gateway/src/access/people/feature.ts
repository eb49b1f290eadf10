import type { Endings } from '../actors/ending.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { accountHandlers } from './account-routes.ts'
import { Devices } from './devices.ts'
import { removeOldChallenges } from './factors/challenges.ts'
import { peopleHandlers } from './people-routes.ts'
import { BackchannelLogout, serveLogouts } from './oidc/backchannel-logout.ts'
import { OidcProvider } from './oidc/provider.ts'
import { SingleSignOn } from './oidc/single-sign-on.ts'
import { removeStaleLogins } from './oidc/store.ts'
import { removeOver } from './session-store.ts'
import { Sessions } from './sessions.ts'
import { SignInThrottle } from './throttle.ts'
import type { Caller, Handlers } from '../../base/http/handler.ts'
import { MinuteCounter } from '../../base/http/callers/minute-counter.ts'
import { senderOf } from '../../base/http/callers/network.ts'
import { confirmByPasskey, confirmByPassword, startConfirming } from './confirm.ts'
import { OwnFactors } from './own-factors.ts'
import { placeOf, requirePerson } from './own.ts'
import type { SignInParts } from './sign-in.ts'

/** Passkeys that are asked for or answered from one address: each is a row, or an entry of the trail. */
const passkeysPerMinute = 60

/** What people do with their own second factors, and how they confirm who they are. */
function factorHandlers(context: GatewayContext, parts: SignInParts) {
  const factors = new OwnFactors(context, parts)
  const own = (caller: Caller) => requirePerson(context, caller)
  const passkeys = new MinuteCounter(context.now)
  const countPasskey = ({ address }: Caller) => passkeys.limit(senderOf(address), passkeysPerMinute)
  return {
    getFactors: async ({ caller }) => factors.show(await own(caller), caller.confirmed === true),
    startTotp: async ({ caller, headers }) => factors.startTotp(await own(caller), headers),
    addTotp: async ({ caller, body }) => factors.addTotp(await own(caller), body),
    removeTotp: async ({ caller }) => {
      await factors.removeTotp(await own(caller))
    },
    startPasskey: async ({ caller, headers }) => factors.startPasskey(await own(caller), headers),
    addPasskey: async ({ caller, headers, body }) => factors.addPasskey(await own(caller), headers, body),
    renamePasskey: async ({ caller, params, body }) => {
      await factors.renamePasskey(await own(caller), params.id, body.name)
    },
    acknowledgeReset: async ({ caller }) => {
      await factors.acknowledgeReset(await own(caller))
    },
    removePasskey: async ({ caller, params }) => {
      await factors.removePasskey(await own(caller), params.id)
    },
    renewRecoveryCodes: async ({ caller }) => factors.renewCodes(await own(caller)),
    confirmAccount: async ({ caller, body, headers }) => {
      const place = placeOf(context, caller, headers)
      await confirmByPassword(context, parts, await own(caller), { ...body, place })
    },
    askToConfirm: async ({ caller, headers }) => {
      countPasskey(caller)
      return startConfirming(context, await own(caller), headers)
    },
    confirmWithPasskey: async ({ caller, headers, body }) => {
      countPasskey(caller)
      const given = { headers, response: body.response, address: caller.address }
      await confirmByPasskey(context, parts, await own(caller), given)
    },
  } satisfies Partial<Handlers>
}

/** People: who has an account, how they sign in, and the sessions they have open. */
export function createPeople(context: GatewayContext, endings: Endings) {
  const { database, settings, now } = context
  const sessions = new Sessions(context)
  const provider = new OidcProvider(settings.current)
  const singleSignOn = new SingleSignOn(context, sessions, provider)
  const logouts = new BackchannelLogout(context, provider)
  const devices = new Devices({ seals: settings.seals, now })
  const parts = { sessions, throttle: new SignInThrottle(now), devices, singleSignOn }
  return {
    name: 'people',
    routes: {
      ...accountHandlers(context, parts),
      ...factorHandlers(context, parts),
      ...peopleHandlers(context, sessions, endings),
    },
    expire: async () => {
      await removeOver(database.db, sessions.bounds())
      await removeStaleLogins(database.db, now().toISOString())
      await removeOldChallenges(database, now())
    },
    serve: ({ app, guards }) => serveLogouts(app, guards, logouts),
    close: async () => {
      await logouts.close()
      await provider.close()
    },
    /** Who the session of a request belongs to. */
    actorOf: sessions.actorOf.bind(sessions),
  } satisfies Feature & Record<string, unknown>
}

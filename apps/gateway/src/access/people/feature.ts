import type { Endings } from '../actors/ending.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { accountHandlers } from './account-routes.ts'
import { Devices } from './devices.ts'
import { factorHandlers } from './factor-routes.ts'
import { removeOldChallenges } from './factors/challenges.ts'
import { peopleHandlers } from './people-routes.ts'
import { BackchannelLogout } from './oidc/backchannel-logout.ts'
import { OidcProvider } from './oidc/provider.ts'
import { serveLogouts } from './oidc/serve-logouts.ts'
import { SingleSignOn } from './oidc/single-sign-on.ts'
import { removeStaleLogins } from './oidc/store.ts'
import { removeOver } from './session-store.ts'
import { Sessions } from './sessions.ts'
import { SignInThrottle } from './throttle.ts'

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

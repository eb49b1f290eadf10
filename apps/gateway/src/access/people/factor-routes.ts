import type { GatewayContext } from '../../base/context.ts'
import type { Caller, Handlers } from '../../base/http/handler.ts'
import { MinuteCounter } from '../../base/http/callers/minute-counter.ts'
import { senderOf } from '../../base/http/callers/network.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { confirmByPasskey, confirmByPassword, startConfirming } from './confirm.ts'
import { OwnFactors } from './own-factors.ts'
import { placeOf, requirePerson } from './own.ts'
import type { SignInParts } from './sign-in.ts'

/** Passkeys that are asked for or answered from one address: each is a row, or an entry of the trail. */
const passkeysPerMinute = 60

/** What people do with their own second factors, and how they confirm who they are. */
export function factorHandlers(context: GatewayContext, parts: SignInParts) {
  const factors = new OwnFactors(context, parts)
  const own = (caller: Caller) => requirePerson(context, caller)
  const passkeys = new MinuteCounter(context.now)
  const countPasskey = ({ address }: Caller) => {
    if (passkeys.count(senderOf(address)) > passkeysPerMinute)
      throw new Problem('rate_limited', undefined, { retryAfterSeconds: passkeys.secondsLeft() })
  }
  return {
    getFactors: async ({ caller }) => factors.show(await own(caller), caller.confirmed === true),
    startTotp: async ({ caller, headers }) => factors.startTotp(await own(caller), headers),
    addTotp: async ({ caller, body }) => factors.addTotp(await own(caller), body),
    removeTotp: async ({ caller }) => {
      await factors.removeTotp(await own(caller))
      return undefined
    },
    startPasskey: async ({ caller, headers }) => factors.startPasskey(await own(caller), headers),
    addPasskey: async ({ caller, headers, body }) => factors.addPasskey(await own(caller), headers, body),
    renamePasskey: async ({ caller, params, body }) => {
      await factors.renamePasskey(await own(caller), params.id, body.name)
      return undefined
    },
    acknowledgeReset: async ({ caller }) => {
      await factors.acknowledgeReset(await own(caller))
      return undefined
    },
    removePasskey: async ({ caller, params }) => {
      await factors.removePasskey(await own(caller), params.id)
      return undefined
    },
    renewRecoveryCodes: async ({ caller }) => factors.renewCodes(await own(caller)),
    confirmAccount: async ({ caller, body, headers }) => {
      const place = placeOf(context, caller, headers)
      await confirmByPassword(context, parts, await own(caller), { ...body, place })
      return undefined
    },
    askToConfirm: async ({ caller, headers }) => {
      countPasskey(caller)
      return startConfirming(context, await own(caller), headers)
    },
    confirmWithPasskey: async ({ caller, headers, body }) => {
      countPasskey(caller)
      const given = { headers, response: body.response, address: caller.address }
      await confirmByPasskey(context, parts, await own(caller), given)
      return undefined
    },
  } satisfies Partial<Handlers>
}

import type { GatewayContext } from '../context.ts'
import type { Caller, Handlers } from '../http/handler.ts'
import { OwnFactors } from './own-factors.ts'
import { assertFresh, requirePerson } from './own.ts'
import type { SignInParts } from './sign-in.ts'

/** What people do with their own second factors. Whatever changes how they sign in asks that they have just proved who they are. */
export function factorHandlers(context: GatewayContext, parts: SignInParts) {
  const factors = new OwnFactors(context, parts)
  const own = (caller: Caller) => requirePerson(context, caller)
  const fresh = async (caller: Caller) => {
    const found = await own(caller)
    await assertFresh(context, parts.sessions, found.sessionId)
    return found
  }
  return {
    getFactors: async ({ caller }) => factors.show(await own(caller)),
    startTotp: async ({ caller, headers }) => factors.startTotp(await fresh(caller), headers),
    addTotp: async ({ caller, body }) => factors.addTotp(await own(caller), body),
    removeTotp: async ({ caller }) => {
      await factors.removeTotp(await fresh(caller))
      return undefined
    },
    startPasskey: async ({ caller, headers }) => factors.startPasskey(await fresh(caller), headers),
    addPasskey: async ({ caller, headers, body }) => factors.addPasskey(await own(caller), headers, body),
    removePasskey: async ({ caller, params }) => {
      await factors.removePasskey(await fresh(caller), params.id)
      return undefined
    },
    renewRecoveryCodes: async ({ caller }) => factors.renewCodes(await fresh(caller)),
    confirmAccount: async ({ caller, body }) => {
      await factors.confirmByPassword(await own(caller), body.password, caller.address)
      return undefined
    },
    askToConfirm: async ({ caller, headers }) => factors.startConfirming(await own(caller), headers),
    confirmWithPasskey: async ({ caller, headers, body }) => {
      await factors.confirmByPasskey(await own(caller), headers, body.response)
      return undefined
    },
  } satisfies Partial<Handlers>
}

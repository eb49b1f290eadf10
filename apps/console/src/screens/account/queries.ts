import type { MadePasskey } from '@faxdeck/contract'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { makePasskey } from '../../api/passkeys.ts'

export const sessionsQuery = callQuery(['account', 'sessions'], client.listOwnSessions)

export const changePassword = (next: string) => client.changePassword({ body: { next } })
export const startTotp = () => client.startTotp({})
export const addTotp = (body: { token: string; code: string }) => client.addTotp({ body })
export const removeTotp = () => client.removeTotp({})
export const renamePasskey = ({ id, name }: { id: string; name: string }) =>
  client.renamePasskey({ params: { id }, body: { name } })
export const removePasskey = (id: string) => client.removePasskey({ params: { id } })
export const renewCodes = () => client.renewRecoveryCodes({})
export const endSession = (id: string) => client.endOwnSession({ params: { id } })
export const endOtherSessions = () => client.endOtherSessions({})

/** Has the browser make a passkey and registers it. @throws {CallProblem}, {PasskeyProblem} */
export async function addPasskey(name: string) {
  const response: MadePasskey = await makePasskey(await client.startPasskey({}))
  return client.addPasskey({ body: { name, response } })
}

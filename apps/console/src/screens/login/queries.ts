import type { Config } from '@faxdeck/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { forgetKey } from '../../api/key.ts'
import { noteSignedIn } from '../../api/signed-in.ts'

/**
 * Asks for the configuration with a key that is not kept yet: what it answers is the proof that the key is good.
 * @throws {CallProblem}
 */
export function tryKey(key: string): Promise<Config> {
  return client.getConfig({}, { headers: { 'x-api-key': key } })
}

/** Whether people have accounts here. */
export const waysInQuery = queryOptions({
  queryKey: ['sign-in'],
  queryFn: ({ signal }) => client.getSignIn({}, { signal }),
  retry: false,
})

/** The key of an earlier visit would count instead of the session. */
function noteSession(): void {
  forgetKey()
  noteSignedIn()
}

/** @throws {CallProblem} */
export async function signIn(body: { email: string; password: string }): Promise<void> {
  await client.signIn({ body })
  noteSession()
}

/** Whom an invitation is for. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => client.readInvitation({ body: { token } }, { signal }),
    retry: false,
  })

/** @throws {CallProblem} */
export async function acceptInvitation(body: { token: string; password: string }): Promise<void> {
  await client.acceptInvitation({ body })
  noteSession()
}

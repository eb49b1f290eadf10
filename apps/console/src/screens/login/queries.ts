import type { Config, ReplyOf, Routes } from '@faxdeck/contract'
import { queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { forgetKey } from '../../api/key.ts'
import { getPasskey } from '../../api/passkeys.ts'
import { noteSignedIn } from '../../api/signed-in.ts'

/**
 * Asks for the configuration with a key that is not kept yet: what it answers is the proof that the key is good.
 * @throws {CallProblem}
 */
export function tryKey(key: string): Promise<Config> {
  return client.getConfig({}, { headers: { 'x-api-key': key } })
}

/** How people can sign in here. */
export const waysInQuery = callQuery(['sign-in'], client.getSignIn, { retry: false })

/** The key of an earlier visit would count instead of the session. */
function noteSession(): void {
  forgetKey()
  noteSignedIn()
}

/** What is asked for after the password. */
export type SecondStep = NonNullable<ReplyOf<Routes['signIn']>['second_step']>

/** @returns what else is asked for; null for somebody who is signed in. @throws {CallProblem} */
export async function signIn(body: { email: string; password: string }): Promise<SecondStep | null> {
  const { second_step: asked } = await client.signIn({ body })
  if (!asked) noteSession()
  return asked
}

/** @throws {CallProblem} */
export async function signInWithCode(body: { token: string; code: string }): Promise<void> {
  await client.signInWithCode({ body })
  noteSession()
}

/** @param token of half a sign-in; absent where the passkey is all there is. @throws {CallProblem}, {PasskeyProblem} */
export async function signInWithPasskey(token: string | undefined): Promise<void> {
  const half = token === undefined ? {} : { token }
  const response = await getPasskey(await client.askForPasskey({ body: half }))
  await client.signInWithPasskey({ body: { ...half, response } })
  noteSession()
}

/** Signs in with the query that the provider sent back. @throws {CallProblem} */
export async function finishSingleSignOn(answer: string): Promise<void> {
  await client.finishSingleSignOn({ body: { answer } })
  noteSession()
}

/** Whom an invitation is for. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => client.readInvitation({ body: { token } }, { signal }),
    retry: false,
  })

/** @returns as `signIn` does. @throws {CallProblem} */
export async function acceptInvitation(body: { token: string; password: string }): Promise<SecondStep | null> {
  const { second_step: asked } = await client.acceptInvitation({ body })
  if (!asked) noteSession()
  return asked
}

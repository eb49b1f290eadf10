import { callQuery } from './call-query.ts'
import { client } from './client.ts'
import { getPasskey } from './passkeys.ts'

/** The person at the console, what they may do, and until when. */
export const accountQuery = callQuery(['account'], client.getAccount, { staleTime: 0 })

export const staySignedIn = (signal: AbortSignal) => client.staySignedIn({}, { signal })

/** Ends the session, and goes on to the provider of single sign-on where it ends its own. */
export async function signOut(): Promise<void> {
  const { provider_url: url } = await client.signOut({})
  if (url !== null) location.assign(url)
}

/** Leaves for the provider of single sign-on. @param again whether it asks also whom it knows already. @throws {CallProblem} */
export async function startSingleSignOn(again: boolean): Promise<void> {
  const { url } = await client.startSingleSignOn({ body: { again } })
  location.assign(url)
}

/** How the person at the console signs in. */
export const factorsQuery = callQuery(['account', 'factors'], client.getFactors)

/** They know that an administrator reset their second factors. @throws {CallProblem} */
export const acknowledgeReset = () => client.acknowledgeReset({})

/** Proves who somebody is. @param typed with a code where they have a second factor. @throws {CallProblem} */
export const confirmByPassword = (typed: { password: string; code?: string }) => client.confirmAccount({ body: typed })

/** @throws {CallProblem}, {PasskeyProblem} */
export async function confirmByPasskey(): Promise<void> {
  const response = await getPasskey(await client.askToConfirm({}))
  await client.confirmWithPasskey({ body: { response } })
}

import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** The person at the console, what they may do, and until when. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => client.getAccount({}, { signal }),
  staleTime: 0,
})

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

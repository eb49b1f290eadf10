import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** The person at the console, what they may do, and until when. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => client.getAccount({}, { signal }),
  staleTime: 0,
})

export const staySignedIn = () => client.staySignedIn({})

/** Ends the session, and goes on to the provider of single sign-on where it ends its own. */
export async function signOut(): Promise<void> {
  const { provider_url: url } = await client.signOut({})
  if (url !== null) location.assign(url)
}

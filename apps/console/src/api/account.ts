import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** The person at the console, what they may do, and until when. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => client.getAccount({}, { signal }),
  staleTime: 0,
})

export const staySignedIn = () => client.staySignedIn({})
export const signOut = () => client.signOut({})

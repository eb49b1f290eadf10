import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { getPasskey } from './passkeys.ts'

/** How the person at the console signs in. */
export const factorsQuery = queryOptions({
  queryKey: ['account', 'factors'],
  queryFn: ({ signal }) => client.getFactors({}, { signal }),
})

/** They know that an administrator reset their second factors. @throws {CallProblem} */
export const acknowledgeReset = () => client.acknowledgeReset({})

/** Proves who somebody is. @param typed with a code where they have a second factor. @throws {CallProblem} */
export const confirmByPassword = (typed: { password: string; code?: string }) => client.confirmAccount({ body: typed })

/** @throws {CallProblem}, {PasskeyProblem} */
export async function confirmByPasskey(): Promise<void> {
  const response = await getPasskey(await client.askToConfirm({}))
  await client.confirmWithPasskey({ body: { response } })
}

import type { ApiKey, InputOf, Routes } from '@faxdeck/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { keepKey, readKey } from '../../api/key.ts'

export type NewKey = InputOf<Routes['createApiKey']>['body']
/** A key together with its token, which is answered once. */
export type KeyWithToken = ApiKey & { token: string }

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => client.listApiKeys({}, { signal }),
  placeholderData: keepPreviousData,
})

export const createKey = (body: NewKey) => client.createApiKey({ body })

/** Whether this console is logged in with the key. */
export function isOwnKey(key: ApiKey): boolean {
  return readKey()?.includes(`_${key.key_id}_`) ?? false
}

/** Replaces the key's secret. When it is the console's own, the console goes on with the new one. */
export async function rotateKey(key: ApiKey): Promise<KeyWithToken> {
  const own = isOwnKey(key)
  const rotated = await client.rotateApiKey({ params: { id: key.key_id } })
  if (own) keepKey(rotated.token)
  return rotated
}

/** Ends a key, and with `issued` those that were created or rotated with it. */
export const revokeKey = ({ key, issued }: { key: ApiKey; issued: boolean }) =>
  client.revokeApiKey({ params: { id: key.key_id }, query: { issued: issued ? 'revoke' : 'keep' } })

/** Whether a key can have set up anything: one that administers can, and one that reads faxes can have webhooks. */
export const leavesBehind = ({ scopes }: ApiKey) => scopes.includes('keys:manage') || scopes.includes('fax:read')

/** What revoking a key takes back, and with `issued` also what those keys leave that go with it. */
export const leavingsQuery = (key: ApiKey, issued: boolean) =>
  queryOptions({
    // Apart from the keys: a list asked anew after a revocation must not ask what a key that is gone leaves.
    queryKey: ['key-leavings', key.key_id, issued],
    queryFn: ({ signal }) =>
      client.getKeyLeavings({ params: { id: key.key_id }, query: { issued: issued ? 'revoke' : 'keep' } }, { signal }),
    enabled: leavesBehind(key),
    placeholderData: keepPreviousData,
  })

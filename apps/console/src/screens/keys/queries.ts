import type { ApiKey, InputOf, Routes } from '@faxdeck/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { keepKey, readKey } from '../../api/key.ts'
import { type EndingChoice, endingInQuery } from '../../session/let-in/ending.ts'

export type NewKey = InputOf<Routes['createApiKey']>['body']
/** A key together with its token, which is answered once. */
export type KeyWithToken = ApiKey & { token: string }

export const keysQuery = callQuery(['api-keys'], client.listApiKeys, { placeholderData: keepPreviousData })

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

/** Ends a key, and of those whom it let in who was chosen. */
export const revokeKey = ({ key, choice }: { key: ApiKey; choice: EndingChoice }) =>
  client.revokeApiKey({ params: { id: key.key_id }, query: endingInQuery(choice) })

export type Revoked = Awaited<ReturnType<typeof revokeKey>>

/** Whether a key can have set up anything: one that administers can, and one that reads faxes can have webhooks. */
export const leavesBehind = ({ scopes }: ApiKey) => scopes.includes('keys:manage') || scopes.includes('fax:read')

/** Whom a key let in, and what revoking it takes back, also of those who go with it. */
export const leavingsQuery = (key: ApiKey, choice: EndingChoice) =>
  queryOptions({
    // Apart from the keys: a list asked anew after a revocation must not ask what a key that is gone leaves.
    queryKey: ['key-leavings', key.key_id, choice],
    queryFn: ({ signal }) =>
      client.getKeyLeavings({ params: { id: key.key_id }, query: endingInQuery(choice) }, { signal }),
    enabled: leavesBehind(key),
    placeholderData: keepPreviousData,
  })

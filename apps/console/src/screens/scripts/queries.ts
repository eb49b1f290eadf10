import { queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'

export const actionsQuery = callQuery(['actions'], client.listActions)

/** Where providers deliver; asked for when a person wants to see it. */
export const callbacksQuery = queryOptions({
  queryKey: ['scripts', 'callbacks'],
  queryFn: ({ signal }) => client.listCallbacks({ query: {} }, { signal }),
  staleTime: 0,
})

export const runAction = (id: string) => client.runAction({ body: { id } })

const as = (token: string) => ({ headers: { 'x-api-key': token } })

/** A key for the authentication test; it ends by itself should nobody revoke it. */
export const makeSmokeKey = (name: string, expiresAt: Date) =>
  client.createApiKey({
    body: { name, owner: 'demo', scopes: ['fax:send', 'fax:read'], expires_at: expiresAt.toISOString() },
  })
export const listKeys = () => client.listApiKeys({})
export const revokeKey = (id: string) => client.revokeApiKey({ params: { id }, query: {} })

/** Sends with the console's own key, or with another one. */
export const sendFax = (to: string, file: File, token?: string) =>
  client.submitFax({ form: { to, file } }, token === undefined ? {} : as(token))
export const readFaxAs = (token: string, id: string) => client.getFax({ params: { id } }, as(token))
export const listKeysAs = (token: string) => client.listApiKeys({}, as(token))
export const readJob = (id: string) => client.getJob({ params: { id } })

export const simulateInbound = () => client.simulateInbound({ body: { pages: 1, status: 'received' } })
export const readInbound = (id: string) => client.getInbound({ params: { id } })
export const readInboundPdf = (id: string) => client.getInboundPdf({ params: { id } })

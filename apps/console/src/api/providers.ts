import type { ReplyOf, Routes } from '@faxdeck/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

export type Providers = ReplyOf<Routes['listProviders']>

/** The providers by id, with what each can do, and which are in use. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => client.listProviders({}, { signal }),
  staleTime: 60_000,
})

/** What people call a provider; its id as long as that is all that is known. */
export const providerName = (id: string, providers: Pick<Providers, 'registry'> | undefined): string =>
  providers?.registry[id]?.name ?? id

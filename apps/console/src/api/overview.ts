import type { ReplyOf, Routes } from '@faxdeck/contract'
import { callQuery } from './call-query.ts'
import { client } from './client.ts'

/** What the shell and several screens need to know of the installation. */
export const configQuery = callQuery(['config'], client.getConfig, { meta: { live: ['settings'] } })

/** The database as the gateway describes it. */
export const databaseQuery = callQuery(['db-status'], client.getDbStatus, { staleTime: 0 })

/** The state of the provider, the queue and receiving. */
export const healthQuery = callQuery(['health-status'], client.getHealthStatus, {
  meta: { live: ['health'], patch: (_: never, { health }) => health },
})

export type Providers = ReplyOf<Routes['listProviders']>

/** The providers by id, with what each can do, and which are in use. */
export const providersQuery = callQuery(['providers'], client.listProviders, { staleTime: 60_000 })

/** What people call a provider; its id as long as that is all that is known. */
export const providerName = (id: string, providers: Pick<Providers, 'registry'> | undefined): string =>
  providers?.registry[id]?.name ?? id

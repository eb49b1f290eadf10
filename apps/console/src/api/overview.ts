import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** What the shell and several screens need to know of the installation. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => client.getConfig({}, { signal }),
  meta: { live: ['settings'] },
})

/** The database as the gateway describes it. */
export const databaseQuery = queryOptions({
  queryKey: ['db-status'],
  queryFn: ({ signal }) => client.getDbStatus({}, { signal }),
  staleTime: 0,
})

/** The state of the provider, the queue and receiving. */
export const healthQuery = queryOptions({
  queryKey: ['health-status'],
  queryFn: ({ signal }) => client.getHealthStatus({}, { signal }),
  meta: { live: ['health'], patch: (_: never, { health }) => health },
})

import { useQuery } from '@tanstack/react-query'
import { callQuery } from './call-query.ts'
import { client } from './client.ts'

/** The groups whose faxes the person at the console sees. */
export const ownGroupsQuery = callQuery(['groups', 'own'], client.listOwnGroups, { staleTime: 60_000 })

/** Those groups; none until they are known. */
export function useOwnGroups() {
  return useQuery(ownGroupsQuery).data ?? []
}

/** The name of a fax's group; undefined when it has none, or none that is still there. */
export function useGroupName(id: string | null): string | undefined {
  return useOwnGroups().find((group) => group.id === id)?.name
}

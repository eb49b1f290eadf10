import type { Group } from '@faxdeck/contract'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { ownGroupsQuery } from '../../api/groups.ts'
import { useAction } from '../../api/use-action.ts'

export const groupsQuery = callQuery(['groups', 'all'], client.listGroups, { placeholderData: keepPreviousData })

/** Who can be put into a group. */
export const peopleQuery = callQuery(['people'], client.listPeople)

const refreshes = [groupsQuery.queryKey, ownGroupsQuery.queryKey]

export const useCreateGroup = (onDone: (group: Group) => void) =>
  useAction((name: string) => client.createGroup({ body: { name } }), { onDone, refreshes })

/** What can be done with a group. What the gateway answers is shown at once. */
export function useGroupActions(id: string, { onRemoved }: { onRemoved: () => void }) {
  const queries = useQueryClient()
  const show = (group: Group) =>
    queries.setQueryData(groupsQuery.queryKey, (groups) => groups?.map((each) => (each.id === id ? group : each)))
  const shown = { onDone: show, refreshes }
  return {
    rename: useAction((name: string) => client.renameGroup({ params: { id }, body: { name } }), shown),
    addNumber: useAction((number: string) => client.addGroupNumber({ params: { id, number } }), shown),
    removeNumber: useAction((number: string) => client.removeGroupNumber({ params: { id, number } }), shown),
    sendFrom: useAction(
      (number: string | null) => client.setGroupCallingNumber({ params: { id }, body: { number } }),
      shown,
    ),
    addMember: useAction((person: string) => client.addGroupMember({ params: { id, person } }), shown),
    removeMember: useAction((person: string) => client.removeGroupMember({ params: { id, person } }), shown),
    remove: useAction(() => client.deleteGroup({ params: { id } }), { onDone: onRemoved, refreshes }),
  }
}

import type { Group } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconPlus, IconUsersGroup } from '../../ui/control/icons.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { GroupDialog } from './group-dialog.tsx'
import { groupsQuery, useCreateGroup } from './queries.ts'

const place = 'people/groups'
const creating = 'new'

const listed = (words: readonly string[], none: string) => (words.length === 0 ? none : words.join(', '))
const columns: Column<Group>[] = [
  { key: 'name', label: 'Group', card: 'title', cell: ({ name }) => name },
  { key: 'numbers', label: 'Numbers', cell: ({ numbers }) => listed(numbers, 'None') },
  {
    key: 'members',
    label: 'People',
    cell: ({ members }) =>
      listed(
        members.map(({ name }) => name),
        'Nobody',
      ),
  },
]

/** The Groups screen: which numbers a group owns, and who sees its faxes. */
export function GroupsScreen() {
  const { visit, go } = useSession()
  const { data: groups, error, refetch } = useQuery(groupsQuery)
  const refresh = useAction(() => refetch())
  const open = (id: string) => go(place, { open: id })
  const close = () => go(place, { replace: true })
  const shown = groups?.find(({ id }) => id === visit.open)
  const create = (
    <Button icon={IconPlus} tone="primary" onClick={() => open(creating)}>
      Add group
    </Button>
  )
  return (
    <>
      <PageHead title="Groups" purpose="Members see the faxes sent and received by their groups." actions={create} />
      {error && <ErrorNotice error={error} busy={refresh.busy} onRetry={() => refresh.run(undefined)} />}
      {!groups && !error && <Skeleton lines={4} height={2.5} />}
      {groups?.length === 0 && (
        <EmptyState
          icon={IconUsersGroup}
          title="No groups yet"
          why="A group has fax numbers and members. Its members see the faxes received on its numbers and the faxes its members send. Operators see all faxes."
          next={create}
        />
      )}
      {groups && groups.length > 0 && (
        <DataTable
          label="Groups"
          rows={groups}
          idOf={({ id }) => id}
          nameOf={({ name }) => `group ${name}`}
          columns={columns}
          onOpen={({ id }) => open(id)}
        />
      )}
      {visit.open === creating && (
        <CreateGroupDialog onClose={close} onCreated={({ id }) => go(place, { open: id, replace: true })} />
      )}
      {shown && <GroupDialog key={shown.id} group={shown} onClose={close} />}
    </>
  )
}

/** Asks for the name of a new group. Its numbers and people are added to it then. */
function CreateGroupDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (group: Group) => void }) {
  const [name, setName] = useState('')
  const create = useCreateGroup(onCreated)
  return (
    <FormDialog
      title="Add a group"
      verb="Add"
      ready={name.trim() !== ''}
      action={create}
      onSubmit={() => create.run(name.trim())}
      onClose={onClose}
    >
      <TextField
        label="Name"
        help="The team that shares the faxes, such as “Cardiology” or “Front desk”."
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}

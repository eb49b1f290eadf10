import type { Group, Person } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { useSession } from '../../session/session.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { Time } from '../../ui/time.tsx'
import styles from './people.module.css'
import { groupNames, inviterOf, stateWords } from './person-words.ts'

function Name({ row }: { row: Person }) {
  const { person } = useSession()
  return (
    <span className={styles.name}>
      <span>{row.name}</span>
      {person?.id === row.id && <Chip tone="info">You</Chip>}
    </span>
  )
}

export function StateChip({ state }: Pick<Person, 'state'>) {
  const { tone, word } = stateWords[state]
  return <Chip tone={tone}>{word}</Chip>
}

function LastSignIn({ row }: { row: Person }) {
  if (row.last_sign_in_at !== null) return <Time at={row.last_sign_in_at} />
  const isGood = row.state !== 'invited' || row.link_expires_at !== null
  return <span className="muted">{isGood ? 'Never' : 'Link expired'}</span>
}

const columnsWith = (groups: readonly Group[] | undefined): Column<Person>[] => [
  { key: 'name', label: 'Name', card: 'title', cell: (row) => <Name row={row} /> },
  { key: 'email', label: 'Email', width: 'minmax(0, 1.25fr)', cell: (row) => row.email },
  { key: 'role', label: 'Role', width: '8rem', cell: (row) => roles[row.role].label },
  { key: 'groups', label: 'Groups', cell: (row) => groupNames(groups, row) || '—' },
  { key: 'state', label: 'State', width: '7rem', card: 'side', cell: (row) => <StateChip state={row.state} /> },
  { key: 'inviter', label: 'Invited by', width: '9rem', cell: (row) => inviterOf(row) },
  { key: 'last', label: 'Last sign-in', width: '8rem', cell: (row) => <LastSignIn row={row} /> },
  { key: 'sessions', label: 'Sessions', width: '5.5rem', align: 'end', cell: (row) => row.sessions },
]

interface Props {
  people: readonly Person[]
  groups: readonly Group[] | undefined
  onOpen: (person: Person) => void
}

/** Everybody with an account. */
export function PeopleTable({ people, groups, onOpen }: Props) {
  return (
    <DataTable
      label="People"
      rows={people}
      idOf={(row) => row.id}
      nameOf={(row) => row.name}
      columns={columnsWith(groups)}
      onOpen={onOpen}
    />
  )
}

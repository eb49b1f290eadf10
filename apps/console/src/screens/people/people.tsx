import type { Person } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconPlus, IconUsers } from '../../ui/control/icons.ts'
import { SearchField } from '../../ui/form/fields.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { InviteDialog, LinkDialog } from './invite-dialog.tsx'
import { PeopleTable } from './people-table.tsx'
import styles from './people.module.css'
import { PersonDialogs } from './person-dialogs.tsx'
import { groupNames, isFound } from './person-words.ts'
import { groupsQuery, peopleQuery, type PersonWithLink } from './queries.ts'

const place = 'people/people'

/** Who has an account, in which role, and where they are signed in. */
export function PeopleScreen() {
  const { visit, go } = useSession()
  const { data: people, error, refetch } = useQuery(peopleQuery)
  const refresh = useAction(() => refetch())
  const [made, setMade] = useState<PersonWithLink & { renewed: boolean }>()
  const invite = () => go(place, { open: 'new' })
  const close = () => go(place, { replace: true })
  const opened = people?.find(({ id }) => id === visit.open)
  const actions = (
    <>
      <Button action={refresh}>Refresh</Button>
      <Button icon={IconPlus} tone="primary" onClick={invite}>
        Invite
      </Button>
    </>
  )
  return (
    <>
      <PageHead
        title="People"
        purpose="Who can sign in with an email address, and what they can do."
        actions={actions}
      />
      {error && <ErrorNotice error={error} busy={refresh.busy} onRetry={() => refresh.run(undefined)} />}
      {!people && !error && <Skeleton lines={4} height={2.5} />}
      {people?.length === 0 && <NoPeople onInvite={invite} />}
      {people && people.length > 0 && <Found people={people} onOpen={({ id }) => go(place, { open: id })} />}
      {visit.open === 'new' && (
        <InviteDialog onClose={close} onInvited={(link) => setMade({ ...link, renewed: false })} />
      )}
      {people && opened && !made && (
        <PersonDialogs
          key={opened.id}
          person={opened}
          onLink={(link) => setMade({ ...link, renewed: true })}
          onClose={close}
        />
      )}
      {made && <LinkDialog {...made} onDone={() => setMade(undefined)} />}
    </>
  )
}

function Found({ people, onOpen }: { people: readonly Person[]; onOpen: (person: Person) => void }) {
  const [typed, setTyped] = useState('')
  const { data: groups } = useQuery(groupsQuery)
  const found = people.filter((person) => isFound(person, typed.trim(), groupNames(groups, person)))
  return (
    <>
      <div className={styles.search}>
        <SearchField label="Search name, email, role or group" value={typed} onChange={setTyped} />
      </div>
      {found.length > 0 ? (
        <PeopleTable people={found} groups={groups} onOpen={onOpen} />
      ) : (
        <EmptyState
          icon={IconUsers}
          title="No people found"
          why={`No name, email address, role or group matches “${typed.trim()}”.`}
          next={<Button onClick={() => setTyped('')}>Clear search</Button>}
        />
      )}
    </>
  )
}

function NoPeople({ onInvite }: { onInvite: () => void }) {
  return (
    <EmptyState
      icon={IconUsers}
      title="No people yet"
      why="Give people their own accounts. Each person sees what their role allows and appears by name in the audit trail. API keys keep working."
      next={
        <Button tone="primary" onClick={onInvite}>
          Invite the first person
        </Button>
      }
    />
  )
}

import type { Person, Session } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import form from '../../ui/form/fields.module.css'
import { type Fact, FactList } from '../../ui/layout/fact-list.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Ago, Time } from '../../ui/time.tsx'
import { browserName } from '../../ui/words/browser-name.ts'
import { StateChip } from './people-table.tsx'
import styles from './people.module.css'
import { groupNames, inviterOf, type PersonAction } from './person-words.ts'
import { endSession, endSessions, groupsQuery, peopleQuery, sessionsQuery } from './queries.ts'

interface Props {
  person: Person
  onAsk: (action: PersonAction) => void
  onClose: () => void
}

/** Everything about one person. Nobody changes their own role or suspends themselves. */
export function PersonDialog({ person, onAsk, onClose }: Props) {
  const { person: own } = useSession()
  const isOwn = own?.id === person.id
  const isSuspended = person.state === 'suspended'
  const footer = (
    <>
      {!isSuspended && <Button onClick={() => onAsk('renew')}>New link</Button>}
      <Button onClick={() => onAsk('edit')}>Edit</Button>
      {!isOwn && <Button onClick={() => onAsk('role')}>Change role</Button>}
      {!isOwn && isSuspended && (
        <Button tone="primary" onClick={() => onAsk('reinstate')}>
          Reinstate
        </Button>
      )}
      {!isOwn && !isSuspended && (
        <Button tone="danger" onClick={() => onAsk('suspend')}>
          Suspend
        </Button>
      )}
    </>
  )
  return (
    <Dialog title={person.name} onClose={onClose} footer={footer}>
      <div className={form.form}>
        <Facts person={person} onReset={isOwn ? undefined : () => onAsk('reset')} />
        {isOwn && <p>This is you. Another administrator can change your email address and role.</p>}
        {!isSuspended && <PersonSessions person={person} />}
      </div>
    </Dialog>
  )
}

function Facts({ person, onReset }: { person: Person; onReset: (() => void) | undefined }) {
  const { email, role, state, created_at, last_sign_in_at: last, link_expires_at: expires } = person
  const { data: groups } = useQuery(groupsQuery)
  const facts: Fact[] = [
    ['Email', email],
    ['Role', `${roles[role].label}. ${roles[role].summary}`],
    ['Groups', groupNames(groups, person) || 'In no group'],
    ['State', <StateChip key="state" state={state} />],
    [
      'Invited by',
      <span key="inviter">
        {inviterOf(person)}, <Time at={created_at} />
      </span>,
    ],
    ['Last sign-in', last === null ? 'Never' : <Time key="last" at={last} />],
    [
      'Second factor',
      <span key="factor" className={styles.factor}>
        {person.second_factor ? 'On' : 'None'}
        {person.second_factor && onReset && (
          <Button tone="quiet" onClick={onReset}>
            Reset second factors…
          </Button>
        )}
      </span>,
    ],
  ]
  if (expires !== null)
    facts.push([
      'Link',
      <span key="link">
        Works until <Time at={expires} dated />
      </span>,
    ])
  else if (state === 'invited') facts.push(['Link', 'Expired. Make a new link.'])
  return <FactList facts={facts} />
}

/** Where a person is signed in; each session can be ended, or all of them. */
function PersonSessions({ person: { id } }: { person: Person }) {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery(id))
  // The sessions are a part of the people.
  const refreshes = [peopleQuery.queryKey]
  const end = useAction(endSession, { refreshes })
  const endAll = useAction(endSessions, { refreshes })
  const failure = end.error ?? endAll.error
  return (
    <section className={styles.section}>
      <div className={styles.row}>
        <h3>Sessions</h3>
        {sessions && sessions.length > 1 && (
          <Button tone="quiet" busy={endAll.busy} onClick={() => endAll.run(id)}>
            End all
          </Button>
        )}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {failure && <ErrorNotice error={failure} />}
      {!sessions && !error && <Skeleton lines={2} />}
      {sessions?.length === 0 && <p className="muted">Not signed in anywhere.</p>}
      {sessions && sessions.length > 0 && (
        <ul className={styles.sessions}>
          {sessions.map((session) => (
            <li key={session.id}>
              <Where session={session} />
              <Button
                tone="quiet"
                aria-label={`End the session of ${browserName(session.browser)} at ${session.address}`}
                busy={end.busy}
                onClick={() => end.run({ id, session: session.id })}
              >
                End
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Where({ session: { browser, address, active_at: active, current } }: { session: Session }) {
  return (
    <div className={styles.where}>
      {browserName(browser)}
      {current && ' (this session)'}
      <span>
        {address}, active <Ago at={active} />
      </span>
    </div>
  )
}

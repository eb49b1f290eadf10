import type { Person } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import form from '../../ui/form/fields.module.css'
import { type Fact, FactList } from '../../ui/layout/fact-list.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './people.module.css'
import { StateChip } from './people-table.tsx'
import { PersonSessions } from './person-sessions.tsx'
import { inviterOf, type PersonAction } from './person-words.ts'

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
        {isOwn && <p>This is you. Another administrator can change your role.</p>}
        {!isSuspended && <PersonSessions person={person} />}
      </div>
    </Dialog>
  )
}

function Facts({ person, onReset }: { person: Person; onReset: (() => void) | undefined }) {
  const { email, role, state, created_at, last_sign_in_at: last, link_expires_at: expires } = person
  const facts: Fact[] = [
    ['Email', email],
    ['Role', `${roles[role].label}. ${roles[role].summary}`],
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

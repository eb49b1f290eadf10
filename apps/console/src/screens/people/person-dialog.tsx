import type { Person } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { useSession } from '../../shell/session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import form from '../../ui/form/fields.module.css'
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
  return (
    <dl className={styles.facts}>
      <dt>Email</dt>
      <dd>{email}</dd>
      <dt>Role</dt>
      <dd>
        {roles[role].label}. {roles[role].summary}
      </dd>
      <dt>State</dt>
      <dd>
        <StateChip state={state} />
      </dd>
      <dt>Invited by</dt>
      <dd>
        {inviterOf(person)}, <Time at={created_at} />
      </dd>
      <dt>Last sign-in</dt>
      <dd>{last === null ? 'Never' : <Time at={last} />}</dd>
      <dt>Second factor</dt>
      <dd className={styles.factor}>
        {person.second_factor ? 'On' : 'None'}
        {person.second_factor && onReset && (
          <Button tone="quiet" onClick={onReset}>
            Reset second factors…
          </Button>
        )}
      </dd>
      {(expires !== null || state === 'invited') && (
        <>
          <dt>Link</dt>
          <dd>
            {expires === null ? (
              'Expired. Make a new link.'
            ) : (
              <>
                Works until <Time at={expires} dated />
              </>
            )}
          </dd>
        </>
      )}
    </dl>
  )
}

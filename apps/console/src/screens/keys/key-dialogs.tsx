import type { ApiKey } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmAction } from '../../session/confirm-action.tsx'
import { type EndingChoice, keepAll } from '../../session/let-in/ending.ts'
import { LeftBehind } from '../../session/let-in/left-behind.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { keyName } from './key-table.tsx'
import styles from './keys.module.css'
import {
  isOwnKey,
  keysQuery,
  type KeyWithToken,
  leavesBehind,
  leavingsQuery,
  type Revoked,
  revokeKey,
  rotateKey,
} from './queries.ts'

interface Props {
  subject: ApiKey
  onClose: () => void
}

export function RotateDialog({ subject, onClose, onRotated }: Props & { onRotated: (rotated: KeyWithToken) => void }) {
  return (
    <ConfirmAction
      title={`Rotate the key “${keyName(subject)}”?`}
      verb="Rotate"
      perform={rotateKey}
      input={subject}
      refreshes={[keysQuery.queryKey]}
      onDone={onRotated}
      onClose={onClose}
    >
      <p>
        You get a new token, shown once. The old token stops working immediately, so anything that uses it needs the new
        one.
      </p>
      {isOwnKey(subject) && <p>You are logged in with this key. This console switches to the new token.</p>}
    </ConfirmAction>
  )
}

function doneInWords({ revoked, settings_undone, people_suspended, people_demoted }: Revoked): string {
  const counts = [
    ['Settings undone', settings_undone.length],
    ['People suspended', people_suspended.length],
    ['People made Senders', people_demoted.length],
  ] as const
  const said = counts.filter(([, count]) => count > 0).map(([what, count]) => `${what}: ${count}`)
  return [revoked.length > 1 ? 'Keys revoked' : 'Key revoked', ...said].join('. ')
}

export function RevokeDialog({ subject, onClose }: Props) {
  const [choice, setChoice] = useState(keepAll)
  return (
    <ConfirmAction
      title={`Revoke the key “${keyName(subject)}”?`}
      verb="Revoke"
      danger
      perform={revokeKey}
      input={{ key: subject, choice }}
      refreshes={[keysQuery.queryKey, ['settings'], ['webhooks'], ['people']]}
      toast={doneInWords}
      onClose={onClose}
    >
      <p>
        The key stops working immediately. Anything that uses it loses access to this gateway. This can’t be undone.
      </p>
      {leavesBehind(subject) && <KeyLeavings subject={subject} choice={choice} onChoose={setChoice} />}
      {isOwnKey(subject) && (
        <p className={styles.warning}>You are logged in with this key, so you will be logged out.</p>
      )}
    </ConfirmAction>
  )
}

interface KeyLeavingsProps {
  subject: ApiKey
  choice: EndingChoice
  onChoose: (choice: EndingChoice) => void
}

/** Whom a key let in, and what revoking it takes back, so that nobody is surprised by a provider that is no longer set up. */
function KeyLeavings({ subject, choice, onChoose }: KeyLeavingsProps) {
  const { data, error, refetch } = useQuery(leavingsQuery(subject, choice))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <p>Checking what was set up with this key…</p>
  const words = {
    start: subject.key_id,
    who: 'This key',
    holder: 'its holder',
    oneKey: 'another key',
    manyKeys: 'other keys',
    nothing: 'Nothing set up with this key could let its holder back in.',
    keep: 'To keep a setting, first save it again with another key. Other changes made with this key stay.',
  }
  return <LeftBehind leavings={data} subject={words} choice={choice} onChoose={onChoose} />
}

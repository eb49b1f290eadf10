import type { ApiKey } from '@faxdeck/contract'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { keepAll } from '../../session/let-in/ending.ts'
import { useToast } from '../../ui/overlay/toast.tsx'
import { KeyLeavings } from './key-leavings.tsx'
import { keyName } from './key-table.tsx'
import styles from './keys.module.css'
import { isOwnKey, keysQuery, leavesBehind, type Revoked, revokeKey } from './queries.ts'

interface Props {
  subject: ApiKey
  onClose: () => void
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
  const say = useToast()
  const revoke = useAction(revokeKey, {
    refreshes: [keysQuery.queryKey, ['settings'], ['webhooks'], ['people']],
    onDone: (reply) => {
      onClose()
      say(doneInWords(reply))
    },
  })
  return (
    <Confirm
      title={`Revoke the key “${keyName(subject)}”?`}
      verb="Revoke"
      danger
      action={revoke}
      onConfirm={() => revoke.run({ key: subject, choice })}
      onClose={onClose}
    >
      <p>
        The key stops working immediately. Anything that uses it loses access to this gateway. This can’t be undone.
      </p>
      {leavesBehind(subject) && <KeyLeavings subject={subject} choice={choice} onChoose={setChoice} />}
      {isOwnKey(subject) && (
        <p className={styles.warning}>You are logged in with this key, so you will be logged out.</p>
      )}
    </Confirm>
  )
}

import type { ApiKey } from '@faxdeck/contract'
import { issuedThrough } from '@faxdeck/contract/issued-keys'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Checkbox } from '../../ui/form/switch.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { KeyLeavings } from './key-leavings.tsx'
import { keyName } from './key-table.tsx'
import styles from './keys.module.css'
import { isOwnKey, keysQuery, leavesBehind, revokeKey } from './queries.ts'

interface Props {
  subject: ApiKey
  keys: readonly ApiKey[]
  onClose: () => void
}

export function RevokeDialog({ subject, keys, onClose }: Props) {
  const issued = issuedThrough(keys, subject.key_id)
  const [alsoIssued, setAlsoIssued] = useState(false)
  const say = useToast()
  const revoke = useAction(revokeKey, {
    refreshes: [keysQuery.queryKey, ['settings'], ['webhooks']],
    onDone: (reply) => {
      onClose()
      const revoked = alsoIssued ? 'Keys revoked' : 'Key revoked'
      const undone = reply.settings_undone.length
      say(undone > 0 ? `${revoked}. Settings undone: ${undone}` : revoked)
    },
  })
  return (
    <Confirm
      title={`Revoke the key “${keyName(subject)}”?`}
      verb="Revoke"
      danger
      action={revoke}
      onConfirm={() => revoke.run({ key: subject, issued: alsoIssued })}
      onClose={onClose}
    >
      <p>
        The key stops working immediately. Anything that uses it loses access to this gateway. This can’t be undone.
      </p>
      {issued.length > 0 && (
        <>
          <p className={styles.warning}>
            This key created or rotated {issued.length === 1 ? 'another key' : `${issued.length} other keys`}, so its
            holder may have {issued.length === 1 ? 'that token' : 'those tokens'}: {issued.map(keyName).join(', ')}.
          </p>
          <Checkbox label="Revoke these too" checked={alsoIssued} onChange={setAlsoIssued} />
        </>
      )}
      {leavesBehind(subject) && <KeyLeavings subject={subject} issued={alsoIssued} />}
      {isOwnKey(subject) && (
        <p className={styles.warning}>You are logged in with this key, so you will be logged out.</p>
      )}
    </Confirm>
  )
}

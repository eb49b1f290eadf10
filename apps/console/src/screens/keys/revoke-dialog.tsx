import type { ApiKey } from '@faxdeck/contract'
import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useToast } from '../../ui/toast.tsx'
import { keyName } from './key-table.tsx'
import styles from './keys.module.css'
import { isOwnKey, keysQuery, revokeKey } from './queries.ts'

interface Props {
  subject: ApiKey
  onClose: () => void
}

export function RevokeDialog({ subject, onClose }: Props) {
  const say = useToast()
  const revoke = useAction(revokeKey, {
    refreshes: [keysQuery.queryKey],
    onDone: () => {
      onClose()
      say('Key revoked')
    },
  })
  return (
    <Confirm
      title={`Revoke the key “${keyName(subject)}”?`}
      verb="Revoke"
      danger
      busy={revoke.busy}
      error={revoke.error}
      onConfirm={() => revoke.run(subject)}
      onClose={onClose}
    >
      <p>
        It stops working at once, for good. Whatever uses it can no longer reach this gateway. This cannot be undone.
      </p>
      {isOwnKey(subject) && <p className={styles.warning}>You are logged in with this key: you will be logged out.</p>}
    </Confirm>
  )
}

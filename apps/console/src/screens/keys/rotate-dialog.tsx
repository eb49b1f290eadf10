import type { ApiKey } from '@faxdeck/contract'
import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { keyName } from './key-table.tsx'
import { isOwnKey, keysQuery, rotateKey, type KeyWithToken } from './queries.ts'

interface Props {
  subject: ApiKey
  onClose: () => void
  onRotated: (rotated: KeyWithToken) => void
}

export function RotateDialog({ subject, onClose, onRotated }: Props) {
  const rotate = useAction(rotateKey, {
    refreshes: [keysQuery.queryKey],
    onDone: (rotated) => {
      onClose()
      onRotated(rotated)
    },
  })
  return (
    <Confirm
      title={`Rotate the key “${keyName(subject)}”?`}
      verb="Rotate"
      action={rotate}
      onConfirm={() => rotate.run(subject)}
      onClose={onClose}
    >
      <p>
        You get a new token, shown once. The old token stops working immediately, so anything that uses it needs the new
        one.
      </p>
      {isOwnKey(subject) && <p>You are logged in with this key. This console switches to the new token.</p>}
    </Confirm>
  )
}

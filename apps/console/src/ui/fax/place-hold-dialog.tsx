import { type ReactNode, useState } from 'react'
import { TextField } from '../form/fields.tsx'
import { FormDialog } from '../overlay/dialog.tsx'

interface Props {
  /** Fields that say what the hold is about. */
  children: ReactNode
  /** Whether they are filled in. */
  ready: boolean
  action: { busy: boolean; error: Error | null }
  onPlace: (reason: string) => void
  onClose: () => void
}

/** Asks what is to be kept, and why. */
export function PlaceHoldDialog({ children, ready, action, onPlace, onClose }: Props) {
  const [reason, setReason] = useState('')
  const given = reason.trim()
  return (
    <FormDialog
      title="Place a legal hold"
      verb="Place hold"
      ready={ready && given !== ''}
      action={action}
      onSubmit={() => onPlace(given)}
      onClose={onClose}
    >
      {children}
      <TextField
        label="Reason"
        help="A case number, or who asked for the hold. Shown with the hold and recorded in the audit trail."
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
      <p>
        Until the hold is lifted, no retention rule deletes these documents. Documents that were already deleted are not
        restored.
      </p>
    </FormDialog>
  )
}

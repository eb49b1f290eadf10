import { useId, useState, type ReactNode, type SubmitEvent } from 'react'
import { Button } from '../control/button.tsx'
import styles from '../form/fields.module.css'
import { TextField } from '../form/text-field.tsx'
import { ErrorNotice } from '../layout/error-notice.tsx'
import { Dialog } from '../overlay/dialog.tsx'

interface Props {
  /** Fields that say what the hold is about. */
  children: ReactNode
  /** Whether they are filled in. */
  ready: boolean
  busy: boolean
  error: Error | null
  onPlace: (reason: string) => void
  onClose: () => void
}

/** Asks what is to be kept, and why. */
export function PlaceHoldDialog({ children, ready, busy, error, onPlace, onClose }: Props) {
  const [reason, setReason] = useState('')
  const formId = useId()
  const isWhole = ready && reason.trim() !== ''
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isWhole) onPlace(reason.trim())
  }
  const footer = (
    <>
      <Button onClick={onClose} disabled={busy}>
        Cancel
      </Button>
      <Button type="submit" form={formId} tone="primary" busy={busy} disabled={!isWhole}>
        Place hold
      </Button>
    </>
  )
  return (
    <Dialog title="Place a legal hold" onClose={onClose} dismissable={!busy} footer={footer}>
      <form id={formId} className={styles.form} onSubmit={submit}>
        {children}
        <TextField
          label="Reason"
          help="A case number, or who asked for the hold. Shown with the hold and recorded in the audit trail."
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
        <p>
          Until the hold is lifted, no retention rule deletes these documents. Documents that were already deleted are
          not restored.
        </p>
        {error && <ErrorNotice error={error} />}
      </form>
    </Dialog>
  )
}

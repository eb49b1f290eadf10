import type { ReactNode } from 'react'
import { Button } from '../control/button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from '../layout/error-notice.tsx'
import styles from '../form/fields.module.css'

interface Props {
  /** The question: "Revoke the key “front desk”?" */
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  /** The verb on the button: "Revoke". */
  verb: string
  danger?: boolean
  /** False while what was entered cannot be taken. */
  confirmable?: boolean
  /** What is done when it is confirmed, as far as it is under way or has failed. */
  action?: { busy: boolean; error?: Error | null }
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. Stays open with the reason when the work fails. */
export function Confirm({
  title,
  children,
  verb,
  danger = false,
  confirmable = true,
  action: { busy, error } = { busy: false },
  onConfirm,
  onClose,
}: Props) {
  const footer = (
    <>
      <Button onClick={onClose} disabled={busy}>
        Cancel
      </Button>
      <Button tone={danger ? 'danger' : 'primary'} busy={busy} disabled={!confirmable} onClick={onConfirm}>
        {verb}
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} dismissable={!busy} footer={footer}>
      <div className={styles.form}>
        <div className={styles.consequences}>{children}</div>
        {error && <ErrorNotice error={error} />}
      </div>
    </Dialog>
  )
}

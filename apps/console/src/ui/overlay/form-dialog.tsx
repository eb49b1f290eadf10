import { useId, type ReactNode, type SubmitEvent } from 'react'
import { Button } from '../control/button.tsx'
import styles from '../form/fields.module.css'
import { ErrorNotice } from '../layout/error-notice.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  /** The fields, and what is to be said about them. */
  children: ReactNode
  /** The verb on the button: "Add". */
  verb: string
  /** False while what was entered cannot be sent. */
  ready?: boolean
  /** What the form is sent by, as far as it is under way or has failed. */
  action?: { busy: boolean; error: Error | null }
  /** Cancel can be pressed while it works as well. */
  stoppable?: boolean
  /** The fields say themselves what is wrong with them, not the browser. */
  noValidate?: boolean
  /** Another button, between the two. */
  also?: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/** A dialog that asks for something and sends it. Stays open with the reason when that fails. */
export function FormDialog(props: Props) {
  const { title, children, verb, ready = true, action, stoppable, noValidate, also, onSubmit, onClose } = props
  const { busy, error } = action ?? { busy: false, error: null }
  const formId = useId()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (ready) onSubmit()
  }
  const footer = (
    <>
      <Button onClick={onClose} disabled={busy && !stoppable}>
        Cancel
      </Button>
      {also}
      <Button type="submit" form={formId} tone="primary" busy={busy} disabled={!ready}>
        {verb}
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} dismissable={!busy} footer={footer}>
      <form id={formId} className={styles.form} noValidate={noValidate} onSubmit={submit}>
        {children}
        {error && <ErrorNotice error={error} />}
      </form>
    </Dialog>
  )
}

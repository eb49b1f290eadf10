import {
  type MouseEvent,
  type ReactNode,
  type SubmitEvent,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { Button, IconButton } from '../control/button.tsx'
import { IconX } from '../control/icons.ts'
import fieldsStyles from '../form/fields.module.css'
import { ErrorNotice } from '../layout/states.tsx'
import styles from './dialog.module.css'

interface Props {
  title: string
  onClose: () => void
  /** In the middle, at the top where its height changes as a person types, or as a panel along one side. */
  place?: 'middle' | 'top' | 'left' | 'right'
  width?: 'narrow' | 'wide'
  /** False while it must not be closed by accident: no Escape, no click beside it, no cross. `by-key`: Escape alone. */
  dismissable?: boolean | 'by-key'
  /** It holds nothing but text: the text itself takes the focus, so that keys scroll it. */
  reads?: boolean
  /** Buttons for what is shown, beside the cross. */
  tools?: ReactNode
  /** Buttons, the most important one last. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * A modal dialog over the native `<dialog>`: it traps focus, closes with Escape, the cross or a click beside it, and
 * gives focus back to what opened it. Mount it to open it, unmount it to close it:
 *
 *     {opened && <Dialog title="Fax 6f1c0d2e" onClose={close}>…</Dialog>}
 */
export function Dialog(props: Props) {
  const {
    title,
    onClose,
    place = 'middle',
    width = 'narrow',
    dismissable = true,
    reads,
    tools,
    footer,
    children,
  } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The first thing to fill in, else the least of the buttons below; what is to be read stays in view.
    const first = element?.querySelector<HTMLElement>('input, select, textarea')
    if (first) first.focus()
    else element?.querySelector<HTMLElement>('[data-foot] button')?.focus({ preventScroll: true })
    return () => element?.close()
  }, [])

  const cancel = (event: SyntheticEvent) => {
    // React lets the event of a dialog above rise to this one, which the browser does not.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    if (dismissable) onClose()
  }
  // A browser may close a dialog whatever `cancel` says, for example at the second Escape.
  const closedByBrowser = () => {
    if (dialog.current?.open) return
    if (dismissable) onClose()
    else dialog.current?.showModal()
  }
  // Pressing, not clicking: a selection dragged out of the dialog ends beside it.
  const pressBeside = (event: MouseEvent) => {
    if (dismissable === true && event.target === event.currentTarget) onClose()
  }
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-place={place}
      data-width={width}
      aria-labelledby={titleId}
      onCancel={cancel}
      onClose={closedByBrowser}
      onMouseDown={pressBeside}
    >
      <div className={styles.sheet}>
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {tools}
          {dismissable === true && <IconButton icon={IconX} label="Close" align="end" onClick={onClose} />}
        </div>
        <div className={styles.body} tabIndex={reads ? 0 : undefined}>
          {children}
        </div>
        {footer && (
          <div data-foot className={styles.foot}>
            {footer}
          </div>
        )}
      </div>
    </dialog>
  )
}

interface ConfirmProps {
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
}: ConfirmProps) {
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
      <div className={fieldsStyles.form}>
        <div className={fieldsStyles.consequences}>{children}</div>
        {error && <ErrorNotice error={error} />}
      </div>
    </Dialog>
  )
}

interface FormDialogProps {
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
export function FormDialog(props: FormDialogProps) {
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
      <form id={formId} className={fieldsStyles.form} noValidate={noValidate} onSubmit={submit}>
        {children}
        {error && <ErrorNotice error={error} />}
      </form>
    </Dialog>
  )
}

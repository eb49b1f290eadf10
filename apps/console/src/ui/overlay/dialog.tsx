import { useId, useLayoutEffect, useRef, type MouseEvent, type ReactNode, type SyntheticEvent } from 'react'
import styles from './dialog.module.css'
import { IconButton } from '../control/icon-button.tsx'
import { IconX } from '../control/icons.ts'

interface Props {
  title: string
  onClose: () => void
  /** In the middle, at the top where its height changes as a person types, or as a panel along one side. */
  place?: 'middle' | 'top' | 'left' | 'right'
  width?: 'narrow' | 'wide'
  /** False while it must not be closed by accident: no Escape, no click beside it, no cross. */
  dismissable?: boolean
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
    if (dismissable && event.target === event.currentTarget) onClose()
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
          {dismissable && <IconButton icon={IconX} label="Close" align="end" onClick={onClose} />}
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

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from '../control/button.tsx'
import { IconX } from '../control/icons.ts'
import styles from './details-pane.module.css'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  onClose: () => void
  /** Buttons for what is shown, beside the cross. */
  tools?: ReactNode
  footer: ReactNode
  children: ReactNode
}

/** Pixels between the pane and the window's edge. */
const margin = 16

/**
 * Details beside the list: a dialog that leaves the list usable. Focus comes here when it opens; Escape closes it and
 * gives focus back to the row.
 */
function DetailsPane({ title, onClose, tools, footer, children }: Props) {
  const pane = useRef<HTMLDivElement>(null)
  const titleId = useId()

  useEffect(() => {
    const opener = document.activeElement
    pane.current?.focus({ preventScroll: true })
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])

  // As high as the window leaves room below its top, which moves until the pane sticks: its buttons stay in view.
  useEffect(() => {
    const fit = () => {
      const element = pane.current
      if (!element) return
      const top = Math.max(margin, element.getBoundingClientRect().top)
      element.style.maxHeight = `${innerHeight - top - margin}px`
    }
    fit()
    addEventListener('scroll', fit, { passive: true })
    addEventListener('resize', fit)
    return () => {
      removeEventListener('scroll', fit)
      removeEventListener('resize', fit)
    }
  }, [])

  const press = (event: KeyboardEvent) => {
    const fromDialogAbove = event.target instanceof Element && event.target.closest('dialog')
    if (event.key === 'Escape' && !fromDialogAbove) onClose()
  }
  return (
    <div
      ref={pane}
      role="dialog"
      aria-modal="false"
      aria-labelledby={titleId}
      tabIndex={-1}
      className={styles.pane}
      onKeyDown={press}
    >
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {tools}
        <IconButton icon={IconX} label="Close" align="end" onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      <footer className={styles.foot}>{footer}</footer>
    </div>
  )
}

/** Details beside the list where there is room, or in a dialog above it. */
export const Details = ({ beside, ...props }: Props & { beside: boolean }) =>
  beside ? <DetailsPane {...props} /> : <Dialog width="wide" {...props} />

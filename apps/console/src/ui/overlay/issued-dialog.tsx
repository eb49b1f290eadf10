import type { ReactNode } from 'react'
import { Button, CopyButton } from '../control/button.tsx'
import styles from '../form/fields.module.css'
import { IssuedValue } from '../layout/code-block.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  /** A token, a secret, a link. */
  value: string
  /** On the button that copies it: "Copy Key". */
  copy: string
  lead?: ReactNode
  /** What it is for. */
  children?: ReactNode
  onDone: () => void
}

/** The only time that something secret is seen; it closes with its button or Escape, not by a press beside it. */
export function IssuedDialog(props: Props) {
  const { title, value, copy, children, onDone } = props
  const { lead = 'Copy it now. It won’t be shown again. Treat it like a password.' } = props
  const footer = (
    <>
      <CopyButton text={value} label={copy} />
      <Button tone="primary" onClick={onDone}>
        Done
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={onDone} dismissable="by-key" footer={footer}>
      <div className={styles.form}>
        <p>{lead}</p>
        <IssuedValue>{value}</IssuedValue>
        {children}
      </div>
    </Dialog>
  )
}

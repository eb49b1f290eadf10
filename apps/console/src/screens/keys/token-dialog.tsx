import type { ReactNode } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import form from '../../ui/form/fields.module.css'
import { IssuedValue } from '../../ui/layout/code-block.tsx'

interface Props {
  title: string
  /** The token of a key, or the secret of a webhook. */
  token: string
  /** On the button: "Copy Key". */
  copy: string
  /** What it is for. */
  children?: ReactNode
  onDone: () => void
}

/** The only time a token is seen; it closes with its button alone. */
export function TokenDialog({ title, token, copy, children, onDone }: Props) {
  const footer = (
    <>
      <CopyButton text={token} label={copy} />
      <Button tone="primary" onClick={onDone}>
        Done
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={onDone} dismissable={false} footer={footer}>
      <div className={form.form}>
        <p>Copy it now. It won’t be shown again. Treat it like a password.</p>
        <IssuedValue>{token}</IssuedValue>
        {children}
      </div>
    </Dialog>
  )
}

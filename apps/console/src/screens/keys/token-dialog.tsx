import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import form from '../../ui/fields.module.css'
import styles from './keys.module.css'
import type { KeyWithToken } from './queries.ts'

interface Props {
  created: KeyWithToken
  onDone: () => void
}

/** The only time a token is seen; it closes with its button alone. */
export function TokenDialog({ created, onDone }: Props) {
  const footer = (
    <>
      <CopyButton text={created.token} label="Copy Key" />
      <Button tone="primary" onClick={onDone}>
        Done
      </Button>
    </>
  )
  return (
    <Dialog
      title={created.name ? `The key “${created.name}”` : 'The new key'}
      onClose={onDone}
      dismissable={false}
      footer={footer}
    >
      <div className={form.form}>
        <p>Copy it now: it is shown this once and cannot be seen again. Keep it like a password.</p>
        <code className={styles.token}>{created.token}</code>
      </div>
    </Dialog>
  )
}

import { Button } from '../../ui/control/button.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import form from '../../ui/form/fields.module.css'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { IssuedValue } from '../../ui/layout/code-block.tsx'
import type { PersonWithLink } from './queries.ts'

/** The only time a link is seen; it closes with its button alone. */
export function LinkDialog({ person, token, onDone }: PersonWithLink & { onDone: () => void }) {
  const link = `${location.origin}${location.pathname}#invitation=${token}`
  const footer = (
    <>
      <CopyButton text={link} label="Copy link" />
      <Button tone="primary" onClick={onDone}>
        Done
      </Button>
    </>
  )
  return (
    <Dialog title={`Sign-in link for ${person.name}`} onClose={onDone} dismissable={false} footer={footer}>
      <div className={form.form}>
        <p>
          Copy it now. It won’t be shown again. Give it to {person.name} only: whoever opens it chooses the password for{' '}
          {person.email}.
        </p>
        <IssuedValue>{link}</IssuedValue>
        <p>
          It works once, until <Time at={person.link_expires_at} dated />. Earlier links no longer work.
        </p>
      </div>
    </Dialog>
  )
}

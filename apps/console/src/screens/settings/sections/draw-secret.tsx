import type { DescribedSetting } from '@faxdeck/contract'
import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { CopyButton } from '../../../ui/control/copy-button.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import form from '../../../ui/form/fields.module.css'
import { useForm } from '../form.ts'
import { drawSecret, staleAfterSaving } from '../queries.ts'
import { IssuedValue } from '../../../ui/layout/code-block.tsx'
import styles from '../settings.module.css'

/** Draws a secret of our own at random, saves it at once and shows it this once. */
export function DrawSecret({ setting }: { setting: DescribedSetting }) {
  const { enter } = useForm()
  const [asking, setAsking] = useState(false)
  const [drawn, setDrawn] = useState<string>()
  const draw = useAction(() => drawSecret(setting.key), {
    refreshes: staleAfterSaving,
    onDone: (secret) => {
      setAsking(false)
      enter(setting.key, undefined)
      setDrawn(secret)
    },
  })
  const start = () => (setting.configured ? setAsking(true) : draw.run(undefined))
  const close = () => {
    setAsking(false)
    draw.reset()
  }
  return (
    <div className={styles.tools}>
      <Button busy={draw.busy} onClick={start} aria-label={`Generate ${setting.label}`}>
        Generate
      </Button>
      {draw.error && !asking && <ErrorNotice error={draw.error} what="Failed to generate secret" />}
      {asking && (
        <Confirm
          title={`Replace “${setting.label}”?`}
          verb="Replace"
          danger
          action={{ busy: draw.busy }}
          onConfirm={() => draw.run(undefined)}
          onClose={close}
        >
          <p>
            The current secret stops working immediately. Anything that uses it is refused until you give it the new
            secret.
          </p>
          {draw.error && <ErrorNotice error={draw.error} what="Failed to generate secret" />}
        </Confirm>
      )}
      {drawn !== undefined && <Drawn label={setting.label} secret={drawn} onDone={() => setDrawn(undefined)} />}
    </div>
  )
}

function Drawn({ label, secret, onDone }: { label: string; secret: string; onDone: () => void }) {
  const footer = (
    <>
      <CopyButton text={secret} label="Copy secret" />
      <Button tone="primary" onClick={onDone}>
        Done
      </Button>
    </>
  )
  return (
    <Dialog title={label} onClose={onDone} dismissable={false} footer={footer}>
      <div className={form.form}>
        <p>The new secret is saved and in use. Copy it now. It won’t be shown again.</p>
        <IssuedValue>{secret}</IssuedValue>
      </div>
    </Dialog>
  )
}

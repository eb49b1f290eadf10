import type { QueryKey } from '@tanstack/react-query'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import form from '../../ui/form/fields.module.css'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import styles from './account.module.css'
import { QrCode } from './qr-code.tsx'
import { addTotp, startTotp } from './queries.ts'

interface Props {
  /** With new recovery codes; null when those there were stay good. */
  onDone: (codes: string[] | null) => void
  onClose: () => void
  /** What to ask for again; the account when absent. */
  refreshes?: QueryKey[]
}

/** Sets up an authenticator app: scan or type the secret, then prove it with a code. */
export function TotpDialog({ onDone, onClose, refreshes = [['account']] }: Props) {
  const start = useAction(startTotp, { onGivenUp: onClose })
  const add = useAction(addTotp, {
    onDone: ({ recovery_codes: codes }) => onDone(codes),
    refreshes,
  })
  const [code, setCode] = useState('')
  const { run } = start
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    run(undefined)
  }, [run])
  const isWrong = add.error?.answer?.code === 'second_step_refused'
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (start.reply) add.run({ token: start.reply.token, code: code.trim() })
  }
  const type = (value: string) => {
    setCode(value)
    add.reset()
  }
  return (
    <Dialog title="Set up an authenticator app" onClose={onClose} dismissable={!add.busy}>
      {start.error && <ErrorNotice error={start.error} onRetry={() => start.run(undefined)} />}
      {!start.reply && !start.error && <Skeleton lines={6} height={2.5} />}
      {start.reply && (
        <form className={form.form} onSubmit={submit}>
          <p>1. Scan the code with an authenticator app on your phone, or type the key into the app.</p>
          <QrCode text={start.reply.uri} label="QR code for your authenticator app" />
          <div className={styles.key}>
            <code>{start.reply.secret.match(/.{1,4}/g)?.join(' ')}</code>
            <CopyButton text={start.reply.secret} label="Copy key" />
          </div>
          <TextField
            label="2. Enter the code the app shows"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            value={code}
            onChange={type}
            wrong={isWrong ? add.error?.answer?.detail : undefined}
          />
          {add.error && !isWrong && <ErrorNotice error={add.error} />}
          <Button type="submit" tone="primary" disabled={!code.trim()} busy={add.busy}>
            Turn on
          </Button>
        </form>
      )}
    </Dialog>
  )
}

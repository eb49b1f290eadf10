import type { Passkey } from '@faxdeck/contract'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { DownloadButton } from '../../api/download-button.tsx'
import { useAction } from '../../api/use-action.ts'
import { Button, CopyButton } from '../../ui/control/button.tsx'
import { IconPrinter } from '../../ui/control/icons.ts'
import form from '../../ui/form/fields.module.css'
import { TextField } from '../../ui/form/fields.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Dialog, FormDialog } from '../../ui/overlay/dialog.tsx'
import { printPage } from '../../ui/print/print-page.ts'
import { browserName } from '../../ui/words/browser-name.ts'
import styles from './account.module.css'
import { addPasskey, addTotp, renamePasskey, startTotp } from './queries.ts'

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

/** Light modules around the code, which readers need (ISO/IEC 18004, 6.3.8). */
const quiet = 4

const drawn = async (text: string) => {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { border: quiet })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return { path: path.join(''), size }
}

/** A QR code, drawn in the browser: what it says goes nowhere. Dark on white in both themes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data } = useQuery({ queryKey: ['qr', text], queryFn: () => drawn(text), gcTime: 0 })
  if (!data) return <Skeleton lines={4} height={2.5} />
  return (
    <svg className={styles.qr} viewBox={`0 0 ${data.size} ${data.size}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={data.path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

const maxName = 60

/** Names a passkey and has the browser make it. */
export function PasskeyDialog({ onDone, onClose, refreshes = [['account']] }: Props) {
  const [name, setName] = useState(() => browserName(navigator.userAgent).slice(0, maxName))
  const add = useAction(addPasskey, {
    onDone: ({ recovery_codes: codes }) => onDone(codes),
    refreshes,
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim()) add.run(name.trim())
  }
  return (
    <Dialog title="Add a passkey" onClose={onClose} dismissable={!add.busy}>
      <form className={form.form} onSubmit={submit}>
        <p>
          A passkey is stored on this device, your phone or a security key. You unlock it with your fingerprint, face or
          PIN. It works only at this address.
        </p>
        <TextField
          label="Name"
          help="Helps you recognize it in the list."
          maxLength={maxName}
          value={name}
          onChange={setName}
        />
        {add.error && <ErrorNotice error={add.error} />}
        <Button type="submit" tone="primary" disabled={!name.trim()} busy={add.busy}>
          Add passkey
        </Button>
      </form>
    </Dialog>
  )
}

/** The only time that recovery codes are seen; it closes with its button alone. */
export function CodesDialog({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `Recovery codes for Faxdeck at ${location.host}\nEach works once.\n\n${codes.join('\n')}\n`
  return (
    <Dialog
      title="Recovery codes"
      onClose={onDone}
      dismissable={false}
      footer={
        <Button tone="primary" onClick={onDone}>
          I’ve saved them
        </Button>
      }
    >
      <div className={form.form}>
        <p>
          Use one of these to sign in if you lose your phone or security key. Each works once. Save them now: they won’t
          be shown again. Any earlier codes no longer work.
        </p>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className={styles.actions}>
          <DownloadButton text={text} name="faxdeck-recovery-codes.txt" type="text/plain" />
          <Button icon={IconPrinter} onClick={() => void printPage()}>
            Print
          </Button>
          <CopyButton text={codes.join('\n')} label="Copy" what="recovery codes" />
        </div>
      </div>
    </Dialog>
  )
}

/** Gives a passkey another name. The device that keeps it goes on calling it what it likes. */
export function RenameDialog({ passkey: { id, name: before }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [typed, setTyped] = useState(before)
  const rename = useAction(renamePasskey, { onDone: onClose, refreshes: [['account', 'factors']] })
  const name = typed.trim()
  return (
    <FormDialog
      title={`Rename the passkey “${before}”`}
      verb="Rename"
      ready={name !== ''}
      action={rename}
      onSubmit={() => (name === before ? onClose() : rename.run({ id, name }))}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={60} autoFocus value={typed} onChange={setTyped} />
    </FormDialog>
  )
}

import type { Webhook } from '@faxdeck/contract'
import { useState } from 'react'
import { gatewayNow } from '../../../api/live/gateway-clock.ts'
import { ConfirmAction } from '../../../session/confirm-action.tsx'
import form from '../../../ui/form/fields.module.css'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { IssuedDialog } from '../../../ui/overlay/issued-dialog.tsx'
import { localMinute } from '../../../ui/time-range.ts'
import { Time } from '../../../ui/time.tsx'
import {
  changeWebhook,
  refreshes,
  removeWebhook,
  replaySince,
  rotateSecret,
  type WebhookWithSecret,
} from './queries.ts'
import { overlapEnd, replayedWords, webhookName } from './webhook-words.ts'

interface Props {
  webhook: Webhook
  onClose: () => void
}

export function PauseDialog({ webhook, onClose }: Props) {
  return (
    <ConfirmAction
      title={`Pause the webhook ${webhookName(webhook)}?`}
      verb="Pause"
      perform={changeWebhook}
      input={{ id: webhook.id, enabled: false }}
      refreshes={refreshes}
      toast="Webhook paused"
      onClose={onClose}
    >
      <p>
        Its endpoint receives nothing until you resume the webhook. Deliveries it misses, including those that fail
        because it is paused, can then be replayed for 30 days.
      </p>
    </ConfirmAction>
  )
}

interface RemoveDialogProps extends Props {
  /** While it is being removed nothing of it may be asked for any more. */
  onRemoving: (removing: boolean) => void
  onRemoved: () => void
}

export function RemoveDialog({ webhook, onClose, onRemoving, onRemoved }: RemoveDialogProps) {
  const perform = (id: string) => {
    onRemoving(true)
    return removeWebhook(id).catch((failure: unknown) => {
      onRemoving(false)
      throw failure
    })
  }
  return (
    <ConfirmAction
      title={`Remove the webhook ${webhookName(webhook)}?`}
      verb="Remove"
      danger
      perform={perform}
      input={webhook.id}
      refreshes={refreshes}
      toast="Webhook removed"
      onDone={onRemoved}
      onClose={onClose}
    >
      <p>
        Its endpoint receives nothing more, including deliveries in progress. Its delivery log is deleted. This can’t be
        undone. To stop deliveries for a while, pause the webhook instead.
      </p>
    </ConfirmAction>
  )
}

const day = 24 * 60 * 60_000
const kinds = [
  { value: 'failed', label: 'Undelivered only' },
  { value: 'all', label: 'All, including delivered' },
] as const

/** Sends everything since a time again; asks for the time, and whether what was delivered goes out too. */
export function ReplaySinceDialog({ webhook, onClose }: Props) {
  const [since, setSince] = useState(() => {
    const failing = webhook.failing_since && Date.parse(webhook.failing_since)
    return localMinute(new Date(failing || gatewayNow() - day))
  })
  const [messages, setMessages] = useState<(typeof kinds)[number]['value']>('failed')
  const at = Date.parse(since)
  const wrong = Number.isNaN(at)
    ? 'Enter a date and a time.'
    : at > gatewayNow()
      ? 'Enter a time in the past.'
      : undefined
  return (
    <ConfirmAction
      title={`Replay deliveries of ${webhookName(webhook)}?`}
      verb="Replay"
      confirmable={!wrong}
      perform={replaySince}
      input={{ id: webhook.id, since: wrong ? '' : new Date(at).toISOString(), messages }}
      refreshes={refreshes}
      toast={replayedWords}
      onClose={onClose}
    >
      <TextField type="datetime-local" label="Since" value={since} onChange={setSince} wrong={wrong} />
      <SelectField label="Deliveries" value={messages} choices={kinds} onChange={setMessages} />
      <p>
        Each delivery keeps its webhook-id. Five are sent per second. Events from while the webhook was paused are sent
        for the first time. Deliveries are kept for 30 days.
      </p>
    </ConfirmAction>
  )
}

const lengths = [
  { value: '0', label: 'Not at all (it leaked)' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
] as const

/** Makes a new secret; asks for how long messages are signed with the present one too. */
export function RotateSecretDialog({
  webhook,
  onClose,
  onRotated,
}: Props & { onRotated: (rotated: WebhookWithSecret) => void }) {
  const [keepHours, setKeepHours] = useState<(typeof lengths)[number]['value']>('24')
  const until = overlapEnd(webhook)
  return (
    <ConfirmAction
      title={`Rotate the secret of ${webhookName(webhook)}?`}
      verb="Rotate"
      perform={rotateSecret}
      input={{ id: webhook.id, keepHours: Number(keepHours) }}
      refreshes={refreshes}
      onDone={onRotated}
      onClose={onClose}
    >
      <div className={form.form}>
        <p>
          You get a new secret, shown once. While the current secret is still valid, each delivery is signed with both,
          so your endpoint can switch over without rejecting any.
        </p>
        <SelectField
          label="How long the current secret stays valid"
          value={keepHours}
          choices={lengths}
          onChange={setKeepHours}
        />
        {until && (
          <p>
            An earlier secret is still valid until <Time at={until} />. It stops working now.
          </p>
        )}
      </div>
    </ConfirmAction>
  )
}

interface SecretProps {
  webhook: WebhookWithSecret
  /** In place of an earlier one. */
  isNew?: boolean
  onDone: () => void
}

/** The secret of a webhook, the only time that it is seen. */
export function SecretDialog({ webhook, isNew = false, onDone }: SecretProps) {
  const title = `The ${isNew ? 'new secret' : 'secret'} of ${webhookName(webhook)}`
  return (
    <IssuedDialog title={title} value={webhook.secret} copy="Copy secret" onDone={onDone}>
      <p>Your endpoint uses this secret to check that a delivery comes from this gateway.</p>
    </IssuedDialog>
  )
}

import type { Webhook } from '@faxdeck/contract'
import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import form from '../../../ui/form/fields.module.css'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { Time } from '../../../ui/time.tsx'
import { refreshes, rotateSecret, type WebhookWithSecret } from './queries.ts'
import { overlapEnd, webhookName } from './webhook-words.ts'

interface Props {
  webhook: Webhook
  onClose: () => void
  onRotated: (rotated: WebhookWithSecret) => void
}

const lengths = [
  { value: '0', label: 'Not at all: it has leaked' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
] as const

/** Makes a new secret; asks for how long messages are signed with the present one too. */
export function RotateSecretDialog({ webhook, onClose, onRotated }: Props) {
  const [keepHours, setKeepHours] = useState<(typeof lengths)[number]['value']>('24')
  const rotate = useAction(rotateSecret, {
    refreshes,
    onDone: (rotated) => {
      onClose()
      onRotated(rotated)
    },
  })
  const until = overlapEnd(webhook)
  return (
    <Confirm
      title={`Rotate the secret of ${webhookName(webhook)}?`}
      verb="Rotate"
      busy={rotate.busy}
      error={rotate.error}
      onConfirm={() => rotate.run({ id: webhook.id, keepHours: Number(keepHours) })}
      onClose={onClose}
    >
      <div className={form.form}>
        <p>
          It gets a new secret, shown once. While the present one counts as well, each message carries a signature of
          both, so that the program can change over in its own time without refusing a message.
        </p>
        <SelectField
          label="How long the present secret still counts"
          value={keepHours}
          choices={lengths}
          onChange={setKeepHours}
        />
        {until && (
          <p>
            The secret before the present one would count until <Time at={until} />. It ends now.
          </p>
        )}
      </div>
    </Confirm>
  )
}

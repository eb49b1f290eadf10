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
  { value: '0', label: 'Not at all (it leaked)' },
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
      action={rotate}
      onConfirm={() => rotate.run({ id: webhook.id, keepHours: Number(keepHours) })}
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
    </Confirm>
  )
}

import type { Webhook } from '@faxdeck/contract'
import { useAction } from '../../../api/use-action.ts'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { changeWebhook, refreshes } from './queries.ts'
import { webhookName } from './webhook-words.ts'

interface Props {
  webhook: Webhook
  onClose: () => void
}

export function PauseDialog({ webhook, onClose }: Props) {
  const say = useToast()
  const pause = useAction(changeWebhook, {
    refreshes,
    onDone: () => {
      onClose()
      say('Webhook paused')
    },
  })
  return (
    <Confirm
      title={`Pause the webhook ${webhookName(webhook)}?`}
      verb="Pause"
      action={pause}
      onConfirm={() => pause.run({ id: webhook.id, enabled: false })}
      onClose={onClose}
    >
      <p>
        Its endpoint receives nothing until you resume the webhook. Deliveries it misses, including those that fail
        because it is paused, can then be replayed for 30 days.
      </p>
    </Confirm>
  )
}

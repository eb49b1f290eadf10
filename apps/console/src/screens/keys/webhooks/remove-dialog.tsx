import type { Webhook } from '@faxdeck/contract'
import { useAction } from '../../../api/use-action.ts'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { refreshes, removeWebhook } from './queries.ts'
import { webhookName } from './webhook-words.ts'

interface Props {
  webhook: Webhook
  onClose: () => void
  /** While it is being removed nothing of it may be asked for any more. */
  onRemoving: (removing: boolean) => void
  onRemoved: () => void
}

export function RemoveDialog({ webhook, onClose, onRemoving, onRemoved }: Props) {
  const say = useToast()
  const perform = (id: string) => {
    onRemoving(true)
    return removeWebhook(id).catch((failure: unknown) => {
      onRemoving(false)
      throw failure
    })
  }
  const remove = useAction(perform, {
    refreshes,
    onDone: () => {
      onRemoved()
      say('Webhook removed')
    },
  })
  return (
    <Confirm
      title={`Remove the webhook ${webhookName(webhook)}?`}
      verb="Remove"
      danger
      action={remove}
      onConfirm={() => remove.run(webhook.id)}
      onClose={onClose}
    >
      <p>
        Its endpoint receives nothing more, including deliveries in progress. Its delivery log is deleted. This can’t be
        undone. To stop deliveries for a while, pause the webhook instead.
      </p>
    </Confirm>
  )
}

import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { restart } from './queries.ts'

export function RestartDialog({ onClose }: { onClose: () => void }) {
  const say = useToast()
  const action = useAction(restart, {
    onDone: () => {
      onClose()
      say('Restarting')
    },
  })
  return (
    <Confirm
      title="Restart the gateway?"
      verb="Restart"
      danger
      action={action}
      onConfirm={() => action.run(undefined)}
      onClose={onClose}
    >
      <p>
        Work in progress is finished or returned to the queue first, so no fax is lost. The console will be unavailable
        for a few seconds.
      </p>
    </Confirm>
  )
}

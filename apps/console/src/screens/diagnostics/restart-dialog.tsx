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
      busy={action.busy}
      error={action.error}
      onConfirm={() => action.run(undefined)}
      onClose={onClose}
    >
      <p>
        Work under way is finished or given back first, and no fax is lost. The console does not answer for a few
        seconds.
      </p>
    </Confirm>
  )
}

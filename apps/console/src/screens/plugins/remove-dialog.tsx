import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { type Plugin, removePlugin, touched } from './queries.ts'

/** Asks before a manifest and what was entered for it go. */
export function RemoveDialog({ plugin, onClose }: { plugin: Plugin; onClose: () => void }) {
  const say = useToast()
  const remove = useAction(removePlugin, {
    refreshes: touched,
    onDone: () => {
      say('Plugin removed')
      onClose()
    },
  })
  return (
    <Confirm
      title={`Remove ${plugin.name}?`}
      verb="Remove"
      danger
      action={remove}
      onConfirm={() => remove.run(plugin.id)}
      onClose={onClose}
    >
      <p>
        Its manifest, credentials and settings are deleted. This can’t be undone. Faxes sent through it stay in the job
        list.
      </p>
    </Confirm>
  )
}

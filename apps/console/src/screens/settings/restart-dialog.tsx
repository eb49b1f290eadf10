import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import type { SettingsPatch } from '../../ui/form/setting-entry.ts'
import { useToast } from '../../ui/overlay/toast.tsx'
import { restart, saveAndRestart } from './queries.ts'

interface Props {
  /** What is saved first, and written to faxdeck.env; only a restart when absent. */
  saving?: SettingsPatch
  onRestarting: () => void
  onClose: () => void
}

export function RestartDialog({ saving, onRestarting, onClose }: Props) {
  const say = useToast()
  const action = useAction(() => (saving ? saveAndRestart(saving) : restart()), {
    onDone: () => {
      onClose()
      onRestarting()
      say('Restarting')
    },
  })
  const count = Object.keys(saving ?? {}).length
  return (
    <Confirm
      title={saving ? 'Save and restart the gateway?' : 'Restart the gateway?'}
      verb={saving ? 'Save & Restart' : 'Restart'}
      danger
      action={{ busy: action.busy }}
      onConfirm={() => action.run(undefined)}
      onClose={onClose}
    >
      {saving && (
        <p>
          {count > 0 && `${count === 1 ? 'One unsaved change is' : `${count} unsaved changes are`} applied first. `}
          All current settings, including secrets, are written to faxdeck.env in the data directory. Only the account
          that runs Faxdeck can read it.
        </p>
      )}
      <p>
        Work in progress is finished or returned to the queue first, so no fax is lost. The console will be unavailable
        for a few seconds.
      </p>
      {action.error && <ErrorNotice error={action.error} what="Failed to save and restart" />}
    </Confirm>
  )
}

import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import type { OutboundChange } from '../../ui/fax/outbound-question.tsx'
import type { SettingsPatch } from '../../ui/form/setting-entry.ts'
import { ErrorNotice, Note } from '../../ui/layout/states.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { useKept } from '../../ui/use-kept.ts'
import type { Form } from './form.ts'
import { restart, saveAndRestart, type Saved } from './queries.ts'
import styles from './settings.module.css'

/** What has been saved and may want a restart, by the labels of the settings. */
interface Due {
  /** In force only after a restart. */
  needed: string[]
  /** In force at once. */
  swapped: string[]
}
const none: Due = { needed: [], swapped: [] }
const swappedGroups = ['backend', 'storage']

/** What is said about a restart after saving; kept until it is dismissed or done, also while looking elsewhere. */
export function useRestartDue() {
  const [due, keep] = useKept('settings.restart', none)
  const add = ({ changed, restart_recommended: recommended }: Saved, rows: Form['rows']) => {
    const saved = rows.filter(({ key }) => changed.includes(key))
    const labels = (wanted: (row: Form['rows'][number]) => boolean, present: string[]) => [
      ...new Set([...present, ...saved.filter(wanted).map(({ label }) => label)]),
    ]
    keep({
      needed: recommended ? labels(({ restart }) => restart, due.needed) : due.needed,
      swapped: labels(({ group }) => swappedGroups.includes(group), due.swapped),
    })
  }
  return { due, add, dismiss: () => keep(none) }
}

interface Props {
  due: Due
  onRestart: () => void
  onDismiss: () => void
}

/** The restart warning. */
export function RestartNote({ due: { needed, swapped }, onRestart, onDismiss }: Props) {
  const { config } = useSession()
  if (needed.length + swapped.length === 0) return null
  return (
    <div role="status">
      <Note tone="warn">
        {needed.length > 0 && (
          <p>Restart needed: {needed.join(', ')}. The previous value stays in use until Faxdeck restarts.</p>
        )}
        {swapped.length > 0 && (
          <p>
            Backend or storage changed: {swapped.join(', ')}. New faxes use it immediately; faxes in progress finish
            with the previous one. Restart to switch everything.
          </p>
        )}
        {!config.allow_restart && needed.length > 0 && <p>Restart Faxdeck the way you started it.</p>}
        <div className={styles.buttons}>
          {config.allow_restart && <Button onClick={onRestart}>Save & Restart</Button>}
          <Button tone="quiet" onClick={onDismiss}>
            Dismiss
          </Button>
        </div>
      </Note>
    </div>
  )
}

interface RestartDialogProps {
  /** What is saved first, and written to faxdeck.env; only a restart when absent. */
  saving?: SettingsPatch
  /** What Set Active chose, which a restart puts in place. */
  pending?: OutboundChange | undefined
  onRestarting: () => void
  onClose: () => void
}

export function RestartDialog({ saving, pending, onRestarting, onClose }: RestartDialogProps) {
  const action = useAction(() => (saving ? saveAndRestart(saving) : restart()), {
    onDone: () => {
      onClose()
      onRestarting()
    },
    toast: 'Restarting',
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
      {pending && (
        <p>
          Outbound provider: {pending.from} to {pending.to}, as chosen with Set Active on Plugins.
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

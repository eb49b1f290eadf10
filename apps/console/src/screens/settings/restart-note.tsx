import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Note } from '../../ui/layout/note.tsx'
import { useKept } from '../../ui/use-kept.ts'
import type { Form } from './form.ts'
import type { Saved } from './queries.ts'
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

import { Dialog } from '../ui/overlay/dialog.tsx'
import styles from './keys-help.module.css'

const keys = [
  ['Ctrl K or ⌘ K', 'Search or jump to…'],
  ['/', 'Search on this screen'],
  ['?', 'This list'],
  ['Ctrl S or ⌘ S', 'Save changes'],
  ['↑ ↓', 'Move between rows'],
  ['Enter', 'Open the selected row'],
  ['Esc', 'Close a dialog or menu, clear a search'],
  ['Alt ← and Alt →', 'Back and forward'],
] as const

/** What the keyboard does. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className={styles.keys}>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

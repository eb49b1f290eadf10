import { Dialog } from '../ui/overlay/dialog.tsx'
import styles from './keys-help.module.css'

const keys = [
  ['Ctrl K or ⌘ K', 'Go anywhere, do anything'],
  ['/', 'Search on this screen'],
  ['?', 'This list'],
  ['Ctrl S or ⌘ S', 'Save what is unsaved on this screen'],
  ['↑ ↓', 'From row to row in a list'],
  ['Enter', 'Open the row, press the button'],
  ['Esc', 'Close a dialog or a menu, empty a search'],
  ['Alt ← and Alt →', 'Back and forward, as everywhere in the browser'],
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

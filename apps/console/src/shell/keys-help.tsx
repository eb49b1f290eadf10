import { Dialog } from '../ui/overlay/dialog.tsx'
import styles from './keys-help.module.css'

const keys = [
  ['Ctrl K or ⌘ K', 'Search or jump to…'],
  ['/', 'Search on this screen'],
  ['?', 'Show this list'],
  ['c', 'Send a fax'],
  ['g then d s j i', 'Go to Dashboard, Send, Jobs, Inbox'],
  ['g then e k x l', 'Go to Settings, Keys, Diagnostics, Logs'],
  ['Ctrl S or ⌘ S', 'Save changes'],
  ['Ctrl P or ⌘ P', 'Print this list or fax'],
  ['↑ ↓', 'Move between rows'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close a dialog or menu, clear a search'],
  ['Alt ← and Alt →', 'Back and forward'],
] as const

const listKeys = [
  ['j and k', 'Next and previous fax'],
  ['x', 'Select the fax'],
  ['Shift-click', 'Select all faxes up to this one'],
] as const

const readerKeys = [
  ['+ and -', 'Zoom in and out'],
  ['r', 'Rotate the pages'],
] as const

function KeyTable({ rows }: { rows: typeof keys | typeof listKeys | typeof readerKeys }) {
  return (
    <dl className={styles.keys}>
      {rows.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What the keyboard does. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" reads onClose={onClose}>
      <KeyTable rows={keys} />
      <h3 className={styles.group}>In Jobs and Inbox</h3>
      <KeyTable rows={listKeys} />
      <h3 className={styles.group}>While a received fax is open</h3>
      <KeyTable rows={readerKeys} />
    </Dialog>
  )
}

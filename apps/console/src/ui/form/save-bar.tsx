import { useEffect, useRef } from 'react'
import { Button } from '../control/button.tsx'
import { IconAlert } from '../control/icons.ts'
import { ErrorNotice } from '../layout/states.tsx'
import styles from './save-bar.module.css'
import type { SettingFault } from './setting-entry.ts'

interface Props {
  /** How many settings have an unsaved entry. */
  count: number
  /** On which pages of the form: "General and Security". */
  where?: string
  /** What is saved and takes effect with the next apply: "Outbound provider: Phaxio to Sinch". */
  pending?: string | undefined
  /** What the button says. */
  verb: string
  busy: boolean
  error: Error | null
  /** What failed, where the call's own sentence says it less exactly. */
  what?: string
  /** The settings that were refused, and the way to one: they are said in place of the error. */
  faults?: readonly SettingFault[]
  onGo?: (key: string) => void
  onApply: () => void
  onDiscard: () => void
}

/** Ctrl or Cmd with S saves, wherever the focus is on the screen; never the page itself. */
function useSaveKey(save: () => void) {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (document.querySelector('dialog[open]') === null) latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** What is unsaved and what to do with it; it stays in sight while something is. */
export function SaveBar(props: Props) {
  const { count, where = '', pending, verb, busy, error, what, faults = [], onGo, onApply, onDiscard } = props
  // After a failure there may be a step left to repeat, although everything is saved.
  const isIdle = count === 0 && pending === undefined && error === null
  useSaveKey(() => !isIdle && onApply())
  const place = where && ` on ${where}`
  const unsaved = count > 0 && `${count} unsaved ${count === 1 ? 'change' : 'changes'}${place}`
  const waiting = pending !== undefined && `Not in use yet: ${pending}`
  const words = [unsaved, waiting].filter(Boolean).join(' · ') || 'All changes saved.'
  const discards = count > 0 || pending !== undefined
  return (
    <div className={styles.bar} data-unsaved={discards || undefined}>
      {error && faults.length === 0 && <ErrorNotice error={error} what={what} />}
      {error && faults.length > 0 && (
        <div role="alert">
          <ul className={styles.faults}>
            {faults.map(({ key, label, message }) => (
              <li key={key}>
                <IconAlert size="1rem" aria-hidden="true" />
                <span>
                  <strong>{label}:</strong> {message}
                </span>
                {onGo && (
                  <Button tone="quiet" aria-label={`Go to field: ${label}`} onClick={() => onGo(key)}>
                    Go to field
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      <span role="status">{words}</span>
      {discards && (
        <Button disabled={busy} onClick={onDiscard}>
          Discard
        </Button>
      )}
      <Button tone="primary" busy={busy} disabled={isIdle && !busy} onClick={onApply} title="Ctrl S or ⌘ S">
        {verb}
      </Button>
    </div>
  )
}

import { useEffect, useRef } from 'react'
import { Button } from '../control/button.tsx'
import { ErrorNotice } from '../layout/states.tsx'
import styles from './save-bar.module.css'

interface Props {
  /** How many settings have an unsaved entry. */
  count: number
  /** What is saved and takes effect with the next apply: "Outbound provider: Phaxio to Sinch". */
  pending?: string | undefined
  /** What the button says. */
  verb: string
  busy: boolean
  error: Error | null
  /** What failed, where the call's own sentence says it less exactly. */
  what?: string
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
export function SaveBar({ count, pending, verb, busy, error, what, onApply, onDiscard }: Props) {
  // After a failure there may be a step left to repeat, although everything is saved.
  const isIdle = count === 0 && pending === undefined && error === null
  useSaveKey(() => !isIdle && onApply())
  const unsaved = count > 0 && `${count} unsaved ${count === 1 ? 'change' : 'changes'}`
  const waiting = pending !== undefined && `Not in use yet: ${pending}`
  const words = [unsaved, waiting].filter(Boolean).join(' · ') || 'All changes saved.'
  const discards = count > 0 || pending !== undefined
  return (
    <div className={styles.bar} data-unsaved={discards || undefined}>
      {error && <ErrorNotice error={error} what={what} />}
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

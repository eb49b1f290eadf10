import { createContext, use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { IconAlert, IconCheck } from '../control/icons.ts'
import styles from './toast.module.css'

interface Toast {
  id: number
  text: string
  options: Options
}
interface Options {
  tone?: 'ok' | 'bad'
  /** For what a person has done and needs no reading, as "Copied": two seconds. */
  brief?: boolean
  /** A way to what the line speaks of; it stays longer then. */
  action?: { label: string; run: () => void }
}
type Say = (text: string, options?: Options) => void

const ToastContext = createContext<Say>(() => undefined)
const briefly = 2_000
const readable = 4_000
const withAction = 8_000
const perLetter = 70

/** How long a line stays: slow readers read some fifteen letters a second. */
function timeFor({ text, options: { brief, action } }: Toast): number {
  if (brief) return briefly
  return Math.max(action ? withAction : readable, text.length * perLetter)
}

/**
 * Says in one line, long enough to read it, what has happened: `say('Key revoked')`. For what a person must act on use
 * an `ErrorNotice`; inside a dialog that stays open say it there.
 */
export function useToast(): Say {
  return use(ToastContext)
}

/** Holds the place where snackbars appear; once, around everything. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>()
  const next = useRef(0)
  const [held, setHeld] = useState(false)
  const close = useCallback(() => setToast(undefined), [])
  const say = useCallback<Say>((text, options = {}) => {
    next.current += 1
    setToast({ id: next.current, text, options })
    setHeld(false)
  }, [])

  useEffect(() => {
    if (!toast || held) return
    const timer = setTimeout(close, timeFor(toast))
    return () => clearTimeout(timer)
  }, [toast, held, close])

  return (
    <ToastContext value={say}>
      {children}
      <div className={styles.place} role="status">
        {toast && <ToastLine key={toast.id} toast={toast} onHold={setHeld} onClose={close} />}
      </div>
    </ToastContext>
  )
}

interface LineProps {
  toast: Toast
  /** While it is pointed at or has the focus it does not go. */
  onHold: (held: boolean) => void
  onClose: () => void
}

function ToastLine({ toast: { text, options }, onHold, onClose }: LineProps) {
  const line = useRef<HTMLDivElement>(null)
  const { tone = 'ok', action } = options
  // A popover stands above an open dialog.
  useEffect(() => line.current?.showPopover(), [])
  const Shape = tone === 'ok' ? IconCheck : IconAlert
  const act = () => {
    action?.run()
    onClose()
  }
  return (
    <div
      ref={line}
      popover="manual"
      className={styles.toast}
      data-tone={tone}
      onPointerEnter={() => onHold(true)}
      onPointerLeave={() => onHold(false)}
      onFocus={() => onHold(true)}
      onBlur={() => onHold(false)}
    >
      <Shape size="1rem" aria-hidden="true" />
      {text}
      {action && (
        <button type="button" className={styles.action} onClick={act}>
          {action.label}
        </button>
      )}
    </div>
  )
}

import { createContext, use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { IconAlert, IconCheck } from '../control/icons.ts'
import styles from './toast.module.css'

interface Toast {
  id: number
  text: string
  tone: 'ok' | 'bad'
}
type Say = (text: string, tone?: Toast['tone']) => void

const ToastContext = createContext<Say>(() => undefined)
const shownFor = 2_000

/**
 * Says in one line, for two seconds, what has happened: `say('Key revoked')`. For what a person must act on use an
 * `ErrorNotice`; inside a dialog that stays open say it there.
 */
export function useToast(): Say {
  return use(ToastContext)
}

/** Holds the place where snackbars appear; once, around everything. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>()
  const next = useRef(0)
  const say = useCallback<Say>((text, tone = 'ok') => {
    next.current += 1
    setToast({ id: next.current, text, tone })
  }, [])

  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => setToast(undefined), shownFor)
    return () => clearTimeout(timer)
  }, [toast])

  return (
    <ToastContext value={say}>
      {children}
      <div className={styles.place} role="status">
        {toast && <ToastLine key={toast.id} toast={toast} />}
      </div>
    </ToastContext>
  )
}

function ToastLine({ toast }: { toast: Toast }) {
  const line = useRef<HTMLDivElement>(null)
  // A popover stands above an open dialog.
  useEffect(() => line.current?.showPopover(), [])
  const Shape = toast.tone === 'ok' ? IconCheck : IconAlert
  return (
    <div ref={line} popover="manual" className={styles.toast} data-tone={toast.tone}>
      <Shape size="1rem" aria-hidden="true" />
      {toast.text}
    </div>
  )
}

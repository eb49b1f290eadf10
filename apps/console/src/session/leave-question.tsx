import { type ReactNode, useEffect, useState } from 'react'
import { Confirm } from '../ui/overlay/dialog.tsx'
import { guardLeaving } from './visit.ts'

interface Props {
  /** While something would be lost, or forgotten half-way. */
  when: boolean
  /** The question: "Leave with unsaved changes?" */
  title: string
  /** What happens to what was entered. */
  children: ReactNode
}

/**
 * Asks before a person leaves the screen: by a tab, a card, Back or log-out with a dialog, by closing or reloading the
 * page with the browser's own.
 *
 *     <LeaveQuestion when={unsaved} title="Leave with unsaved changes?">They are lost.</LeaveQuestion>
 */
export function LeaveQuestion({ when, title, children }: Props) {
  const [goOn, setGoOn] = useState<() => void>()
  useEffect(() => {
    if (!when) return
    const closing = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', closing)
    const takeAway = guardLeaving((next) => setGoOn(() => next))
    return () => {
      removeEventListener('beforeunload', closing)
      takeAway()
    }
  }, [when])

  if (!goOn) return null
  const close = () => setGoOn(undefined)
  const confirm = () => {
    close()
    goOn()
  }
  return (
    <Confirm title={title} verb="Leave" onConfirm={confirm} onClose={close}>
      {children}
    </Confirm>
  )
}

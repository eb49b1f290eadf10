import { useEffect, useState } from 'react'
import { onConfirmationAsked } from '../../api/confirmation.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const dialog = lazyPart(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)

/** Asks the person at the console to confirm who they are whenever a call needs it. */
export function Confirmations() {
  const [answer, setAnswer] = useState<(isProved: boolean) => void>()
  useEffect(() => {
    let waiting: ((isProved: boolean) => void) | undefined
    const stop = onConfirmationAsked(() => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      waiting = resolve
      setAnswer(() => resolve)
      return promise
    })
    return () => {
      stop()
      waiting?.(false)
    }
  }, [])
  if (!answer) return null
  const settle = (isProved: boolean) => {
    setAnswer(undefined)
    answer(isProved)
  }
  return <dialog.Part onDone={() => settle(true)} onClose={() => settle(false)} />
}

import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../../ui/control/is-typing.ts'

interface Keys {
  /** The fax that is open. */
  open: string | undefined
  onStep: (step: 1 | -1) => void
  onSelect: (id: string) => void
}

const steps: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 }

/** The row whose button has the focus. */
const focusedRow = () => document.activeElement?.closest('tr, li')?.querySelector<HTMLElement>('[data-opener]')

/** Moves the focus from row to row; without a row that has it, to the first one. */
function focusRow(step: 1 | -1): void {
  const openers = [...document.querySelectorAll<HTMLElement>('main [data-opener]')]
  const present = focusedRow()
  const at = present ? openers.indexOf(present) + step : 0
  openers[at]?.focus()
}

/** `j` and `k` go to the next and the previous fax, `x` selects the one that is open or has the focus. */
export function useInboxKeys({ open, onStep, onSelect }: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    // Above the inbox there may be a question, or the reader itself.
    const above = [...document.querySelectorAll('dialog[open]')].at(-1)
    if (above && !above.querySelector('[data-reader]')) return
    const step = steps[event.key]
    if (step) {
      event.preventDefault()
      if (open === undefined) focusRow(step)
      else onStep(step)
    }
    const id = open ?? focusedRow()?.dataset.opener
    if (event.key === 'x' && id !== undefined) onSelect(id)
  })
  useEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

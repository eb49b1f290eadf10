import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../control/is-typing.ts'

interface Keys {
  /** The id of the row that is open. */
  open: string | undefined
  onStep: (step: 1 | -1) => void
  onSelect: (id: string) => void
}

const steps: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

/** What uses the arrow keys itself. */
const takesArrows = 'button, a, input, select, textarea, summary, pre, [role="dialog"], [role="menu"], dialog'

/** The row whose button has the focus. */
const focusedRow = () => document.activeElement?.closest('tr, li')?.querySelector<HTMLElement>('[data-opener]')

/** Moves the focus from row to row; without a row that has it, to the first one. */
function focusRow(step: 1 | -1): void {
  const openers = [...document.querySelectorAll<HTMLElement>('[data-opener]')]
  const present = focusedRow()
  const at = present ? openers.indexOf(present) + step : 0
  openers[at]?.focus()
}

/** Whether a key steps through the rows: an arrow only where nothing else uses it, and never away from what is open. */
function isStep(key: string, target: EventTarget | null, isOpen: boolean): boolean {
  if (!key.startsWith('Arrow')) return key in steps
  const isOnRow = target instanceof Element && target.matches('[data-opener]')
  return !isOpen && (isOnRow || (target instanceof Element && target.closest(takesArrows) === null))
}

/**
 * `j` and `k` go to the next and the previous row, `x` selects the one that is open or has the focus; the arrow keys
 * move between rows, from the first one on where none has the focus. Enter opens what has the focus by itself.
 */
export function useRowKeys({ open, onStep, onSelect }: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    // Above the list there may be a question, or what is open itself.
    const above = [...document.querySelectorAll('dialog[open]')].at(-1)
    if (above && !above.querySelector('[data-reader]')) return
    const step = steps[event.key]
    if (step && isStep(event.key, event.target, open !== undefined)) {
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

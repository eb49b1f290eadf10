import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isTyping } from '../ui/control/is-typing.ts'
import { printPage, printsPrepared } from '../ui/print/print-page.ts'

type Overlay = 'palette' | 'keys'

/** So long a `g` waits for the letter of a place. */
const goMs = 1500

interface Going {
  /** Goes to the place of a letter; false where no place has it. */
  goByLetter: (letter: string) => boolean
  onCompose: () => void
}

/** `g` and then the letter of a place, `c` to compose a fax. True when the key is used up. */
function useGoKeys({ goByLetter, onCompose }: Going): (key: string) => boolean {
  const pressedAt = useRef(-Infinity)
  return (key) => {
    const isPlace = performance.now() - pressedAt.current < goMs
    pressedAt.current = key === 'g' && !isPlace ? performance.now() : -Infinity
    if (isPlace) return goByLetter(key)
    if (key === 'c') onCompose()
    return key === 'c' || key === 'g'
  }
}

/**
 * Ctrl or Cmd with K opens the palette, `/` goes to the screen's search (or the palette), `?` lists the keys. Printing
 * first fetches what is not on the page yet.
 */
export function useHotkeys(going: Going) {
  const [overlay, setOverlay] = useState<Overlay>()
  const goKey = useGoKeys(going)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const inDialog = document.querySelector('dialog[open]') !== null
    const withControl = event.ctrlKey || event.metaKey
    const key = event.key.toLowerCase()
    if (withControl && key === 'k') {
      event.preventDefault()
      if (!inDialog) setOverlay('palette')
    } else if (withControl && key === 'p' && !event.shiftKey && printsPrepared()) {
      event.preventDefault()
      void printPage()
    }
    if (inDialog || isTyping(event.target) || withControl || event.altKey) return
    if (event.key === '?') setOverlay('keys')
    if (goKey(event.key)) {
      // The screen has letters of its own.
      event.stopImmediatePropagation()
      return
    }
    if (event.key !== '/') return
    event.preventDefault()
    const search = document.querySelector<HTMLElement>('[data-search]')
    if (search) search.focus()
    else setOverlay('palette')
  })
  useEffect(() => {
    addEventListener('keydown', press, { capture: true })
    return () => removeEventListener('keydown', press, { capture: true })
  }, [])
  const close = useCallback(() => setOverlay(undefined), [])
  return { overlay, show: setOverlay, close }
}

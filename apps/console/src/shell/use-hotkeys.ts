import { useCallback, useEffect, useState } from 'react'

type Overlay = 'palette' | 'keys'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]')

/** Ctrl or Cmd with K opens the palette, `/` goes to the screen's search (or the palette), `?` lists the keys. */
export function useHotkeys() {
  const [overlay, setOverlay] = useState<Overlay>()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const inDialog = document.querySelector('dialog[open]') !== null
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        if (!inDialog) setOverlay('palette')
        return
      }
      if (inDialog || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === '?') setOverlay('keys')
      if (event.key !== '/') return
      event.preventDefault()
      const search = document.querySelector<HTMLElement>('[data-search]')
      if (search) search.focus()
      else setOverlay('palette')
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const close = useCallback(() => setOverlay(undefined), [])
  return { overlay, show: setOverlay, close }
}

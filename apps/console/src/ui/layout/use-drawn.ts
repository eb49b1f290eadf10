import { useEffect, useRef, useState, type RefObject } from 'react'

/** About as many cards as two screens of a phone show. */
const atATime = 12

interface Drawn<Place> {
  /** How many are drawn, from the first on. */
  drawn: number
  /** Goes to what takes the place of the others: when it comes near the screen, more are drawn. */
  rest: RefObject<Place | null>
}

/** How much of a long list is drawn: what a person comes near to, so that a phone does not wait for what nobody sees. */
export function useDrawn<Place extends Element>(count: number): Drawn<Place> {
  const [drawn, setDrawn] = useState(atATime)
  const rest = useRef<Place>(null)
  const isWhole = drawn >= count
  useEffect(() => {
    if (!rest.current || isWhole) return
    const watcher = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setDrawn(drawn + atATime),
      { rootMargin: '1200px' },
    )
    watcher.observe(rest.current)
    return () => watcher.disconnect()
    // `drawn` grows each time: the rest may then still be near.
  }, [drawn, isWhole])
  return { drawn: Math.min(drawn, count), rest }
}

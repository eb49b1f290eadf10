import { useEffect, useState, type RefObject } from 'react'

interface Reading {
  /** Whether the page is scrolled: new rows must not push away what is read. */
  scrolled: boolean
  /** How far down the list its first visible row is, from 0 to 1. */
  depth: number
}

/** Steps fine enough to tell one page of a list of thousands from the next. */
const steps = 1_000

/** Where a person is in a list that scrolls with the page. */
export function useReading(list: RefObject<HTMLElement | null>): Reading {
  const [scrolled, setScrolled] = useState(false)
  const [depth, setDepth] = useState(0)
  useEffect(() => {
    const measure = () => {
      const { top = 0, height = 1 } = list.current?.getBoundingClientRect() ?? {}
      setScrolled(scrollY > 0)
      setDepth(Math.floor((Math.max(0, -top) / Math.max(1, height)) * steps) / steps)
    }
    measure()
    addEventListener('scroll', measure, { passive: true })
    return () => removeEventListener('scroll', measure)
  }, [list])
  return { scrolled, depth }
}

import { useEffect, useState, type RefObject } from 'react'

interface Reading {
  /** Whether the page is scrolled: new rows must not push away what is read. */
  scrolled: boolean
  /** How far down the list its first visible row was when the scrolling came to rest, from 0 to 1. */
  depth: number
}

/** Milliseconds without a movement after which the scrolling has come to rest. */
const rest = 200

/** Where a person is in a list that scrolls with the page. */
export function useReading(list: RefObject<HTMLElement | null>): Reading {
  const [scrolled, setScrolled] = useState(false)
  const [depth, setDepth] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const measure = () => {
      const { top = 0, height = 1 } = list.current?.getBoundingClientRect() ?? {}
      setDepth(Math.max(0, -top) / Math.max(1, height))
    }
    const move = () => {
      setScrolled(scrollY > 0)
      clearTimeout(timer)
      timer = setTimeout(measure, rest)
    }
    move()
    addEventListener('scroll', move, { passive: true })
    return () => {
      removeEventListener('scroll', move)
      clearTimeout(timer)
    }
  }, [list])
  return { scrolled, depth }
}

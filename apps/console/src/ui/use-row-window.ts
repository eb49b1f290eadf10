import { useEffect, useState, type RefObject } from 'react'

/** Rows are drawn in blocks, so that scrolling redraws once per block and not per pixel. */
const block = 20
/** Below this all rows are drawn. */
const few = 100

interface RowWindow {
  first: number
  /** One past the last. */
  end: number
}

const rowsOnScreen = (height: number) => Math.ceil(innerHeight / height)

/**
 * Which rows of a long table are near the visible part of the page, so that ten thousand rows scroll like fifty.
 * @param body the table's body; its rows are all as high as `rem` root text sizes
 * @param scroller what it scrolls in, when that is not the page
 */
export function useRowWindow(
  body: RefObject<HTMLElement | null>,
  count: number,
  rem: number,
  scroller?: RefObject<HTMLElement | null>,
): RowWindow {
  const [first, setFirst] = useState(0)
  const [height, setHeight] = useState(rem * 16)
  const long = count > few

  useEffect(() => {
    const element = body.current
    if (!long || !element) return
    const measure = () => {
      const rowHeight = rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const top = scroller?.current?.getBoundingClientRect().top ?? 0
      const above = Math.max(0, top - element.getBoundingClientRect().top)
      setHeight(rowHeight)
      setFirst(Math.max(0, Math.floor(above / rowHeight / block) - 1) * block)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const scrolling = scroller?.current ?? window
    scrolling.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      scrolling.removeEventListener('scroll', measure)
    }
  }, [body, long, rem, scroller])

  if (!long) return { first: 0, end: count }
  const start = Math.min(first, Math.max(0, count - block))
  return { first: start, end: Math.min(count, start + rowsOnScreen(height) + 3 * block) }
}

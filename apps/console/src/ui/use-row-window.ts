import { useEffect, useState, type RefObject } from 'react'

/** Rows come and go a few at a time: one by one costs more in all, many at once cost a frame. */
const block = 8
/** Rows drawn beyond either edge, for a page that moves before they are asked for. */
const beyond = 10
/** Below this all rows are drawn. */
const few = 100

interface RowWindow {
  first: number
  /** One past the last. */
  end: number
}

function windowAt(above: number, visible: number, rowHeight: number): RowWindow {
  const top = Math.floor(above / rowHeight) - beyond
  const first = Math.max(0, Math.floor(top / block) * block)
  return { first, end: first + Math.ceil(visible / rowHeight) + 2 * beyond + block }
}

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
  const [{ first, end }, setShown] = useState(() => windowAt(0, innerHeight, rem * 16))
  const long = count > few

  useEffect(() => {
    const element = body.current
    if (!long || !element) return
    const measure = () => {
      const rowHeight = rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const frame = scroller?.current
      const top = frame?.getBoundingClientRect().top ?? 0
      const above = Math.max(0, top - element.getBoundingClientRect().top)
      const next = windowAt(above, frame?.clientHeight || innerHeight, rowHeight)
      setShown((shown) => (shown.first === next.first && shown.end === next.end ? shown : next))
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
  return { first: start, end: Math.min(count, end) }
}

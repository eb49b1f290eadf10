import { useEffect, useState, type RefObject } from 'react'

/**
 * Rows come and go as many at a time. What a browser does once for any change of a page costs about as much as
 * twenty rows: fewer at a time cost more in all, more at a time hold up the frame that they come with.
 */
export const blockOfRows = 16
/** Rows drawn beyond either edge, for a page that moves before they are asked for. */
const beyond = 10
/** Below this all rows are drawn. */
const few = 100

interface RowWindow {
  first: number
  /** One past the last. */
  end: number
}

function windowAt(hidden: number, visible: number, rowHeight: number): RowWindow {
  const top = Math.floor(hidden / rowHeight) - beyond
  const first = Math.max(0, Math.floor(top / blockOfRows) * blockOfRows)
  const blocks = Math.ceil((visible / rowHeight + 2 * beyond) / blockOfRows) + 1
  return { first, end: first + blocks * blockOfRows }
}

/**
 * Which rows of a long table are near the visible part of the page, so that ten thousand rows scroll like fifty.
 * @param above what stands where the first row would; all rows are as high as `rem` root text sizes
 * @param scroller what it scrolls in, when that is not the page
 */
export function useRowWindow(
  above: RefObject<HTMLElement | null>,
  count: number,
  rem: number,
  scroller?: RefObject<HTMLElement | null>,
): RowWindow {
  const [{ first, end }, setShown] = useState(() => windowAt(0, innerHeight, rem * 16))
  const long = count > few

  useEffect(() => {
    const element = above.current
    if (!long || !element) return
    const measure = () => {
      const rowHeight = rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const frame = scroller?.current
      const top = frame?.getBoundingClientRect().top ?? 0
      const hidden = Math.max(0, top - element.getBoundingClientRect().top)
      const next = windowAt(hidden, frame?.clientHeight || innerHeight, rowHeight)
      setShown((shown) => (shown.first === next.first && shown.end === next.end ? shown : next))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element.parentElement ?? element)
    addEventListener('resize', measure)
    const scrolling = scroller?.current ?? window
    scrolling.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('resize', measure)
      scrolling.removeEventListener('scroll', measure)
    }
  }, [above, long, rem, scroller])

  if (!long) return { first: 0, end: count }
  const start = Math.min(first, Math.max(0, Math.floor((count - 1) / blockOfRows) * blockOfRows))
  return { first: start, end: Math.min(count, end) }
}

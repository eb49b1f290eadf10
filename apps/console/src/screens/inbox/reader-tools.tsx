import { useEffect, useEffectEvent } from 'react'
import { IconButton } from '../../ui/control/button.tsx'
import {
  IconChevronDown,
  IconChevronUp,
  IconPrinter,
  IconRotate,
  IconZoomIn,
  IconZoomOut,
} from '../../ui/control/icons.ts'
import { isTyping } from '../../ui/control/is-typing.ts'
import type { Turn } from '../../ui/fax/page-thumbnail.tsx'
import styles from './reader.module.css'

/** How the pages of a fax are looked at. */
export interface View {
  /** 1 is as wide as the reader. */
  zoom: number
  turn: Turn
}

export const plainView: View = { zoom: 1, turn: 0 }

const zooms = [0.5, 0.75, 1, 1.5, 2, 3]
const turns: readonly Turn[] = [0, 90, 180, 270]

function zoomed(view: View, step: 1 | -1): View {
  return { ...view, zoom: zooms[zooms.indexOf(view.zoom) + step] ?? view.zoom }
}
const turned = (view: View): View => ({ ...view, turn: turns[(turns.indexOf(view.turn) + 1) % turns.length] ?? 0 })

interface StepsProps {
  /** Whether there is a fax before or after this one; both false where it stands in no list. */
  hasPrevious: boolean
  hasNext: boolean
  onStep: (step: 1 | -1) => void
}

/** To the neighbors of a fax in the list. */
export function ReaderSteps({ hasPrevious, hasNext, onStep }: StepsProps) {
  return (
    <span className={styles.steps}>
      <IconButton icon={IconChevronUp} label="Previous fax (k)" disabled={!hasPrevious} onClick={() => onStep(-1)} />
      <IconButton icon={IconChevronDown} label="Next fax (j)" disabled={!hasNext} onClick={() => onStep(1)} />
    </span>
  )
}

interface Props {
  view: View
  onView: (view: View) => void
  onPrint: () => void
}

/** Zoom, rotate and print; `+`, `-` and `r` do the same. */
export function ReaderTools({ view, onView, onPrint }: Props) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const above = [...document.querySelectorAll('dialog[open]')].at(-1)
    if (above && !above.querySelector('[data-reader]')) return
    if (event.key === '+' || event.key === '=') onView(zoomed(view, 1))
    if (event.key === '-') onView(zoomed(view, -1))
    if (event.key === 'r') onView(turned(view))
  })
  useEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <div role="toolbar" aria-label="Pages" className={styles.tools}>
      <IconButton
        icon={IconZoomOut}
        label="Zoom out (-)"
        disabled={view.zoom === zooms[0]}
        onClick={() => onView(zoomed(view, -1))}
      />
      <button type="button" className={styles.zoom} onClick={() => onView({ ...view, zoom: 1 })} title="Fit to width">
        {view.zoom * 100}%
      </button>
      <IconButton
        icon={IconZoomIn}
        label="Zoom in (+)"
        disabled={view.zoom === zooms.at(-1)}
        onClick={() => onView(zoomed(view, 1))}
      />
      <IconButton icon={IconRotate} label="Rotate (r)" onClick={() => onView(turned(view))} />
      <IconButton icon={IconPrinter} label="Print" align="end" onClick={onPrint} />
    </div>
  )
}

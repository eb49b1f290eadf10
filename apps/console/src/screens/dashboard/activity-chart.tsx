import { Fragment, type KeyboardEvent, type PointerEvent, useState } from 'react'
import { shortTime, Time } from '../../ui/time.tsx'
import { durationInWords, grouped, successRate } from '../../ui/words/figures.ts'
import styles from './activity-chart.module.css'
import {
  chart,
  endOf,
  eventsIn,
  isSparse,
  lineOf,
  scaleOf,
  type Slot,
  slotAt,
  stackOf,
  totalOf,
} from './chart-shape.ts'

type Outcome = 'SUCCESS' | 'FAILED'

interface Props {
  /** Oldest first. */
  slots: readonly Slot[]
  slotMinutes: number
  medianSeconds: number | null
  /** Opens the list of faxes that ended in a slot, all of them or with one outcome; absent where that is no place to go to. */
  onOpen?: ((slot: Slot, outcome?: Outcome) => void) | undefined
}

/** Where lines stand that have their value written below them, from the top of the scale. */
const lines = [0, 0.5]
/** Which parts of the range have their time written below. */
const marks = [0, 0.25, 0.5, 0.75, 1]
/** What the bars and the line count, in the order of the legend. */
const counted = ['delivered', 'failed', 'received'] as const
const outcomes = { delivered: 'SUCCESS', failed: 'FAILED', received: undefined } as const
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** The outcome of the bar that a pointer is on. */
const outcomeAt = ({ target }: { target: EventTarget }): Outcome | undefined => {
  const of = target instanceof Element ? target.closest('[data-outcome]')?.getAttribute('data-outcome') : undefined
  return of === 'SUCCESS' || of === 'FAILED' ? of : undefined
}

/**
 * A bar per slot (a sentence while only one has any), failed upon delivered, and a line for received. The legend shows the slot pointed at, else the sums;
 * a press on a bar opens its faxes. By keyboard: arrows go from slot to slot, Enter opens.
 */
export function ActivityChart({ slots, slotMinutes, medianSeconds, onOpen }: Props) {
  const [at, setAt] = useState<number>()
  const top = scaleOf(slots)
  const total = totalOf(slots)
  const present = at === undefined ? undefined : slots[at]
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(slotAt((event.clientX - left) / width, slots.length))
  }
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt(Math.min(slots.length - 1, Math.max(0, (at ?? slots.length) + step)))
    }
    if (event.key === 'Enter' && present) onOpen?.(present)
  }
  const summary = counted.map((kind) => `${grouped(total[kind])} ${kind}`).join(', ')
  if (isSparse(slots))
    return (
      <div className={styles.chart}>
        <InWords slots={slots} slotMinutes={slotMinutes} medianSeconds={medianSeconds} onOpen={onOpen} />
        <AsTable slots={slots} />
      </div>
    )
  return (
    <div className={styles.chart}>
      <div
        className={styles.plot}
        data-opens={onOpen !== undefined || undefined}
        role="group"
        aria-label="Chart. Arrow keys move between bars, Enter shows their faxes."
        tabIndex={0}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
        onKeyDown={press}
        onClick={(event) => present && onOpen?.(present, outcomeAt(event))}
      >
        <Scale top={top} />
        <svg
          viewBox={`0 0 ${chart.width} ${chart.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Faxes: ${summary}`}
        >
          <Drawing slots={slots} top={top} at={at} />
        </svg>
      </div>
      <div className={styles.times} aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{shortTime(slots[Math.round(mark * (slots.length - 1))]?.hour ?? '')}</span>
        ))}
      </div>
      <Legend counts={present ?? total} slot={present} slotMinutes={slotMinutes} medianSeconds={medianSeconds} />
      <AsTable slots={slots} />
    </div>
  )
}

/** What a chart of one column would show, in a sentence; each number of sent faxes leads to their list. */
function InWords({ slots, slotMinutes, medianSeconds, onOpen }: Props) {
  const total = totalOf(slots)
  const busy = slots.find((slot) => eventsIn(slot) > 0)
  if (!busy) return <p className={styles.words}>No faxes in this period.</p>
  const said = counted.filter((kind) => total[kind] > 0)
  return (
    <>
      <p className={styles.words}>
        {said.map((kind, index) => {
          const words = `${grouped(total[kind])} ${kind}`
          const outcome = outcomes[kind]
          return (
            <Fragment key={kind}>
              {outcome && onOpen ? (
                <button type="button" data-of={kind} onClick={() => onOpen(busy, outcome)}>
                  {words}
                </button>
              ) : (
                words
              )}
              {index < said.length - 1 ? ', ' : '.'}
            </Fragment>
          )
        })}
      </p>
      <p className="muted">
        From <Time at={busy.hour} /> to <Time at={endOf(busy, slotMinutes)} />.
        {medianSeconds !== null && ` Median time to delivery ${durationInWords(medianSeconds)}.`}
      </p>
    </>
  )
}

/** Half a fax is no value. */
const scaleLines = (top: number) => lines.filter((part) => Number.isInteger(top * (1 - part)))

function Scale({ top }: { top: number }) {
  return (
    <>
      {scaleLines(top).map((part) => (
        <span key={part} className={styles.mark} style={{ top: `calc(${part * 100}% + 0.125rem)` }} aria-hidden="true">
          {grouped(top * (1 - part))}
        </span>
      ))}
    </>
  )
}

function Drawing({ slots, top, at }: { slots: readonly Slot[]; top: number; at: number | undefined }) {
  const width = chart.width / Math.max(1, slots.length)
  const stacks = slots.map((slot, index) => ({ slot, ...stackOf(slot, index, slots.length, top) }))
  return (
    <>
      {at !== undefined && <rect className={styles.band} x={at * width} width={width} height={chart.height} />}
      <g className={styles.lines}>
        {[...scaleLines(top), 1].map((part) => (
          <path key={part} d={`M0 ${part * chart.height}H${chart.width}`} />
        ))}
      </g>
      <g className={styles.delivered} data-outcome="SUCCESS">
        {stacks.map(({ slot, delivered }) => (
          <rect key={slot.hour} {...delivered} />
        ))}
      </g>
      <g className={styles.failed} data-outcome="FAILED">
        {stacks.map(({ slot, failed }) => (
          <rect key={slot.hour} {...failed} />
        ))}
      </g>
      <polyline className={styles.received} points={lineOf(slots, top)} />
    </>
  )
}

interface LegendProps {
  counts: { delivered: number; failed: number; received: number }
  /** The slot pointed at. */
  slot: Slot | undefined
  slotMinutes: number
  medianSeconds: number | null
}

function Legend({ counts, slot, slotMinutes, medianSeconds }: LegendProps) {
  return (
    <p className={styles.legend}>
      <span data-of="delivered">delivered {grouped(counts.delivered)}</span>
      <span data-of="failed">failed {grouped(counts.failed)}</span>
      <span data-of="received">received {grouped(counts.received)}</span>
      {counts.delivered + counts.failed > 0 && <span>success rate {successRate(counts)}</span>}
      {slot ? (
        <span>
          <Time at={slot.hour} /> to <Time at={endOf(slot, slotMinutes)} />
        </span>
      ) : (
        medianSeconds !== null && (
          <span title="From acceptance to delivery, over the last 1,000 faxes delivered in this period">
            median time to delivery {durationInWords(medianSeconds)}
          </span>
        )
      )}
    </p>
  )
}

/** The same for those who want figures; its two hundred cells are made when it is first opened. */
function AsTable({ slots }: { slots: readonly Slot[] }) {
  const [asked, setAsked] = useState(false)
  return (
    <details className={styles.table}>
      <summary onClick={() => setAsked(true)}>As a table</summary>
      {asked && (
        <div tabIndex={0} role="region" aria-label="Faxes over time">
          <table>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">Delivered</th>
                <th scope="col">Failed</th>
                <th scope="col">Received</th>
              </tr>
            </thead>
            <tbody>
              {slots.map((slot) => (
                <tr key={slot.hour}>
                  <th scope="row">
                    <Time at={slot.hour} />
                  </th>
                  <td>{grouped(slot.delivered)}</td>
                  <td>{grouped(slot.failed)}</td>
                  <td>{grouped(slot.received)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

import { useState, type PointerEvent } from 'react'
import { clockTime, Time } from '../../ui/time.tsx'
import styles from './activity-chart.module.css'
import { barOf, chart, hourAt, lineOf, scaleOf, totalOf, type Hour } from './chart-shape.ts'

interface Props {
  /** Oldest first. */
  hours: readonly Hour[]
}

const lines = [0, 1 / 3, 2 / 3, 1]
/** Which hours have their time written below. */
const marks = [0, 6, 12, 18, 23]

/** Two bars per hour, delivered and failed, and a line for received. The legend shows the hour pointed at, else the sums. */
export function ActivityChart({ hours }: Props) {
  const [at, setAt] = useState<number>()
  const top = scaleOf(hours)
  const total = totalOf(hours)
  const present = at === undefined ? undefined : hours[at]
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(hourAt((event.clientX - left) / width))
  }
  const nothing = total.delivered + total.failed + total.received === 0
  const summary = `${total.delivered} delivered, ${total.failed} failed, ${total.received} received`
  return (
    <div className={styles.chart}>
      <div className={styles.plot} onPointerMove={point} onPointerLeave={() => setAt(undefined)}>
        {nothing ? (
          <p className={styles.nothing}>No faxes in the last 24 hours.</p>
        ) : (
          <span className={styles.top} aria-hidden="true">
            {top}
          </span>
        )}
        <svg
          viewBox={`0 0 ${chart.width} ${chart.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Faxes per hour: ${summary}`}
        >
          <Drawing hours={nothing ? [] : hours} top={top} at={at} />
        </svg>
      </div>
      <div className={styles.times} aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark} style={{ gridColumn: mark + 1 }}>
            {clockTime(hours[mark]?.hour)}
          </span>
        ))}
      </div>
      <Legend counts={present ?? total} hour={present?.hour} />
      <AsTable hours={hours} />
    </div>
  )
}

function Drawing({ hours, top, at }: Props & { top: number; at: number | undefined }) {
  return (
    <>
      {at !== undefined && (
        <rect className={styles.band} x={at * (chart.width / 24)} width={chart.width / 24} height={chart.height} />
      )}
      <g className={styles.lines}>
        {lines.map((part) => (
          <path key={part} d={`M0 ${part * chart.height}H${chart.width}`} />
        ))}
      </g>
      <g className={styles.delivered}>
        {hours.map((hour, index) => (
          <rect key={hour.hour} {...barOf(hour.delivered, index, 0, top)} />
        ))}
      </g>
      <g className={styles.failed}>
        {hours.map((hour, index) => (
          <rect key={hour.hour} {...barOf(hour.failed, index, 1, top)} />
        ))}
      </g>
      <polyline className={styles.received} points={lineOf(hours, top)} />
    </>
  )
}

interface LegendProps {
  counts: { delivered: number; failed: number; received: number }
  /** The hour pointed at. */
  hour: string | undefined
}

function Legend({ counts, hour }: LegendProps) {
  return (
    <p className={styles.legend}>
      <span data-of="delivered">delivered {counts.delivered}</span>
      <span data-of="failed">failed {counts.failed}</span>
      <span data-of="received">received {counts.received}</span>
      {hour && (
        <span>
          from <Time at={hour} />
        </span>
      )}
    </p>
  )
}

/** The same for those who want figures; its two hundred cells are made when it is first opened. */
function AsTable({ hours }: Props) {
  const [asked, setAsked] = useState(false)
  return (
    <details className={styles.table}>
      <summary onClick={() => setAsked(true)}>As a table</summary>
      {asked && (
        <div tabIndex={0} role="region" aria-label="Faxes per hour">
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
              {hours.map((hour) => (
                <tr key={hour.hour}>
                  <th scope="row">
                    <Time at={hour.hour} />
                  </th>
                  <td>{hour.delivered}</td>
                  <td>{hour.failed}</td>
                  <td>{hour.received}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

import type { Report } from '@faxdeck/contract'
import { grouped } from '../../ui/words/figures.ts'
import { dayInWords } from './figure-words.ts'
import styles from './reports.module.css'

type Step = Report['steps'][number]

const chart = { width: 720, height: 140 } as const
const least = 2

/** The smallest round number that is at least `value`. */
function roundUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value) ?? value
}

const heightOf = (count: number, top: number) => (count === 0 ? 0 : Math.max(least, (count / top) * chart.height))

/** Sent faxes of a step, failed upon delivered, and beside them the received ones. */
function Bar({ step, at, count, top }: { step: Step; at: number; count: number; top: number }) {
  const width = chart.width / count
  const x = at * width + width * 0.12
  const failed = heightOf(step.failed, top)
  const delivered = heightOf(step.delivered, top)
  const received = heightOf(step.received, top)
  return (
    <g>
      <title>{`${dayInWords(step.begins, true)}: ${grouped(step.delivered)} delivered, ${grouped(step.failed)} failed, ${grouped(step.received)} received`}</title>
      <rect className={styles.hit} x={at * width} width={width} y={0} height={chart.height} />
      <rect className={styles.deliveredBar} x={x} width={width * 0.4} y={chart.height - delivered} height={delivered} />
      <rect
        className={styles.failedBar}
        x={x}
        width={width * 0.4}
        y={Math.max(0, chart.height - delivered - failed)}
        height={failed}
      />
      <rect
        className={styles.receivedBar}
        x={x + width * 0.44}
        width={width * 0.32}
        y={chart.height - received}
        height={received}
      />
    </g>
  )
}

/** Faxes over time. The table of the same steps says it in figures. */
export function VolumeChart({ report: { steps, totals } }: { report: Report }) {
  const top = roundUp(Math.max(1, ...steps.flatMap((step) => [step.delivered + step.failed, step.received])))
  const summary = `${grouped(totals.delivered)} delivered, ${grouped(totals.failed)} failed, ${grouped(totals.received)} received. The figures are in the table “Over time” below.`
  const [first, middle, last] = [steps[0], steps[Math.floor(steps.length / 2)], steps.at(-1)]
  return (
    <figure className={styles.chart}>
      <div className={styles.plot}>
        <span className={styles.scale} aria-hidden="true">
          {grouped(top)}
        </span>
        <svg
          viewBox={`0 0 ${chart.width} ${chart.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Faxes over time: ${summary}`}
        >
          <path className={styles.base} d={`M0 0H${chart.width}M0 ${chart.height}H${chart.width}`} />
          {steps.map((step, at) => (
            <Bar key={step.begins} step={step} at={at} count={steps.length} top={top} />
          ))}
        </svg>
      </div>
      <div className={styles.times} aria-hidden="true">
        {[first, steps.length > 2 ? middle : undefined, steps.length > 1 ? last : undefined].map((step, at) => (
          <span key={at}>{step && dayInWords(step.begins)}</span>
        ))}
      </div>
      <figcaption className={styles.legend}>
        <span data-of="delivered">delivered</span>
        <span data-of="failed">failed</span>
        <span data-of="received">received</span>
      </figcaption>
    </figure>
  )
}

import type { CSSProperties } from 'react'
import { callFacts, callParts, type CallRecord, lengthWords, speedWords } from '../words/call-words.ts'
import styles from './call-drawing.module.css'

/** The share of a part in the drawing: one of a moment can still be seen. */
const widthOf = (seconds: number, whole: number): CSSProperties => ({
  flexGrow: whole === 0 ? 1 : Math.max(seconds / whole, 0.015),
})

/** A call as its engine reported it: a line of its parts, and the facts below. */
export function CallDrawing({ call, name }: { call: CallRecord; name: string }) {
  const parts = callParts(call)
  const whole = parts.reduce((sum, { seconds }) => sum + seconds, 0)
  const speed = speedWords(call)
  const isHeaded = parts.length > 0 && speed !== undefined
  const facts = callFacts(call).filter((fact) => !isHeaded || fact.name !== 'Speed')
  const spoken = parts.map((part) => `${part.name} ${lengthWords(part.seconds)}`)
  return (
    <figure className={styles.call} aria-label={name}>
      {parts.length > 0 && (
        <>
          <figcaption className={styles.head}>
            <span>{lengthWords(whole)}</span>
            {speed && <span>{speed}</span>}
          </figcaption>
          <div className={styles.line} role="img" aria-label={spoken.join(', ')}>
            {parts.map((part) => (
              <span
                key={part.name}
                className={styles.part}
                data-kind={part.kind}
                style={widthOf(part.seconds, whole)}
                title={`${part.name}: ${lengthWords(part.seconds)}`}
              />
            ))}
          </div>
          <ul className={styles.key} aria-hidden>
            {kindsIn(parts).map(({ kind, label, seconds }) => (
              <li key={kind} data-kind={kind}>
                {label} {lengthWords(seconds)}
              </li>
            ))}
          </ul>
        </>
      )}
      <dl className={styles.facts}>
        {facts.map(({ name: fact, value }) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </figure>
  )
}

const labels = { waiting: 'Ringing', talking: 'Negotiating', page: 'Pages', closing: 'Closing' } as const

function kindsIn(parts: ReturnType<typeof callParts>) {
  const kinds = ['waiting', 'talking', 'page', 'closing'] as const
  return kinds.flatMap((kind) => {
    const of = parts.filter((part) => part.kind === kind)
    const seconds = of.reduce((sum, part) => sum + part.seconds, 0)
    return of.length === 0 ? [] : [{ kind, label: of.length === 1 ? (of[0]?.name ?? '') : labels[kind], seconds }]
  })
}

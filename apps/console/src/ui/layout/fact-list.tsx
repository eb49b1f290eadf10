import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

export type Fact = readonly [name: string, value: ReactNode]

interface Props {
  facts: readonly Fact[]
  /** A line each, or side by side with the name above. */
  look?: 'lines' | 'tiles'
  /** Changes are read out. */
  live?: boolean
}

/** What is known of something: names, and what they are. */
export function FactList({ facts, look = 'lines', live }: Props) {
  return (
    <dl className={styles[look]} aria-live={live ? 'polite' : undefined}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

import type { InboundFax } from '@faxdeck/contract'
import type { ReactNode } from 'react'
import { MaskedNumber } from '../../ui/masked-number.tsx'
import { Chip, StatusChip } from '../../ui/status-chip.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './fax-facts.module.css'

/** What is known of a received fax. */
export function FaxFacts({ fax }: { fax: InboundFax }) {
  const facts: [string, ReactNode][] = [
    ['From', <MaskedNumber key="fr" number={fax.fr} />],
    ['To', <MaskedNumber key="to" number={fax.to} />],
    [
      'Status',
      <span key="status" className={styles.status}>
        <StatusChip status={fax.status} />
        {fax.is_test && <Chip tone="plain">Test</Chip>}
      </span>,
    ],
    ['Backend', fax.backend],
    ['Pages', fax.pages ?? 'not known yet'],
    ['Received', <Time key="received" at={fax.received_at} seconds />],
  ]
  if (fax.next_try_at) facts.push(['Next try', <Time key="next" at={fax.next_try_at} />])
  facts.push(['ID', <code key="id">{fax.id}</code>])
  if (fax.error) facts.push(['Error', fax.error])
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={name === 'ID' || name === 'Error' ? styles.wide : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

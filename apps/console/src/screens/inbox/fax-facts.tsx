import type { InboundFax } from '@faxdeck/contract'
import { maskDigits } from '@faxdeck/contract/phone'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useGroupName } from '../../api/groups.ts'
import { providerName, providersQuery } from '../../api/overview.ts'
import { FaxNumber } from '../../session/fax-number.tsx'
import { Chip, StatusChip } from '../../ui/control/status-chip.tsx'
import { CallDrawing } from '../../ui/fax/call-drawing.tsx'
import { Time } from '../../ui/time.tsx'
import type { CallRecord } from '../../ui/words/call-words.ts'
import { codesInWords } from '../../ui/words/codes-in-words.ts'
import styles from './fax-facts.module.css'

const wideFacts: ReadonlySet<string> = new Set([
  'ID',
  'Barcodes',
  'Error',
  'Reason',
  'Pages changed',
  'Provider notice',
  'Call',
])

/** The notice of a provider names numbers in full; the inbox shows their ends. */
const hideNumbers = (notice: string) =>
  notice.replace(/\d{7,15}/g, (digits) => '*'.repeat(digits.length - 4) + digits.slice(-4))

const hiddenStation = (call: CallRecord): CallRecord =>
  call.station === undefined ? call : { ...call, station: maskDigits(call.station) }

/** What is known of a received fax. */
export function FaxFacts({ fax }: { fax: InboundFax }) {
  const { data: providers } = useQuery(providersQuery)
  const group = useGroupName(fax.group_id)
  const backend = providerName(fax.backend, providers)
  const facts: [string, ReactNode][] = [
    ['From', <FaxNumber key={`fr ${fax.id}`} id={fax.id} side="fr" number={fax.fr} />],
    ['To', <FaxNumber key={`to ${fax.id}`} id={fax.id} side="to" number={fax.to} />],
    [
      'Status',
      <span key="status" className={styles.status}>
        <StatusChip status={fax.status} />
        {fax.concern && <StatusChip status="Needs a look" />}
        {fax.is_test && <Chip tone="plain">Test</Chip>}
      </span>,
    ],
    ['Backend', backend],
    ['Pages', fax.pages ?? 'Not known yet'],
    ['Received', <Time key="received" at={fax.received_at} seconds dated />],
  ]
  if (group) facts.push(['Group', group])
  if (fax.next_try_at) facts.push(['Next attempt', <Time key="next" at={fax.next_try_at} />])
  if (fax.codes.length > 0) facts.push(['Barcodes', codesInWords(fax.codes)])
  facts.push(['ID', <code key="id">{fax.id}</code>])
  if (fax.error && fax.error !== fax.concern) facts.push(['Error', fax.error])
  if (fax.concern) facts.push(['Reason', fax.concern])
  if (fax.call) facts.push(['Call', <CallDrawing key="call" call={hiddenStation(fax.call)} name="Call for this fax" />])
  if (fax.page_notes.length > 0) facts.push(['Pages changed', fax.page_notes.map(({ sentence }) => sentence).join(' ')])
  if (fax.notice) facts.push(['Provider notice', <code key="notice">{hideNumbers(fax.notice)}</code>])
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={wideFacts.has(name) ? styles.wide : undefined} data-fact={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

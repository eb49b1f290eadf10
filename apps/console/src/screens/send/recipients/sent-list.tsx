import { useQuery } from '@tanstack/react-query'
import { sentFaxQuery } from '../../../api/sent-fax.ts'
import { useSession } from '../../../session/session.ts'
import { FaxStatusChip } from '../../../ui/control/status-chip.tsx'
import { ShortId } from '../../../ui/fax/masked-number.tsx'
import { Note } from '../../../ui/layout/states.tsx'
import type { SentFax } from '../draft.ts'
import styles from './sent-list.module.css'

/** The faxes just sent, each with what became of it so far and a way to its job. */
export function SentList({ sent, onOpen }: { sent: readonly SentFax[]; onOpen: (id: string) => void }) {
  const { config } = useSession()
  if (sent.length === 0) return null
  return (
    <section className={styles.sent} aria-label="Sent">
      <h2>Sent just now</h2>
      {config.test_line && <Note>Test line on: these faxes are tests and are not sent.</Note>}
      {config.test_account !== null && <Note>Account in test mode: these faxes are tests and are not sent.</Note>}
      <ul aria-live="polite">
        {sent.map((fax) => (
          <Sent key={fax.id} fax={fax} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  )
}

function Sent({ fax, onOpen }: { fax: SentFax; onOpen: (id: string) => void }) {
  const { data } = useQuery(sentFaxQuery(fax.id))
  return (
    <li>
      <button type="button" onClick={() => onOpen(fax.id)}>
        <ShortId id={fax.id} />
        <FaxStatusChip fax={data ?? fax} />
        <span className={styles.to}>{fax.to}</span>
        {data?.error && <span className={styles.error}>{data.error}</span>}
      </button>
    </li>
  )
}

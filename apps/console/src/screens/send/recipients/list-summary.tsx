import { useState } from 'react'
import type { ListedRecipient } from '@faxdeck/contract/recipients'
import { Button } from '../../../ui/control/button.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { grouped } from '../../../ui/words/grouped.ts'
import styles from './list-summary.module.css'
import { recipientInWords, summaryOf, type RecipientList } from './recipient-list.ts'

interface Props {
  list: RecipientList
  country: string
  onClear: () => void
}

/** So many lines of a list are shown: nobody reads thousands in a dialog. */
const maxShown = 200

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  const more = lines.length - maxShown
  return (
    <section className={styles.part}>
      <h3>
        {title} ({grouped(lines.length)})
      </h3>
      <ul tabIndex={0} role="list" aria-label={title}>
        {lines.slice(0, maxShown).map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ul>
      {more > 0 && <p className="muted">{grouped(more)} more</p>}
    </section>
  )
}

/** What was read of a list, what was left out of it and why. */
function ListDialog({ list, country, onClose }: { list: RecipientList; country: string; onClose: () => void }) {
  const inWords = (recipient: ListedRecipient) => recipientInWords(recipient, country)
  const inRow = ({ row }: { row: number }) => (row > 0 ? `Row ${grouped(row)}: ` : '')
  return (
    <Dialog title="Recipients" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div className={styles.parts}>
        <Lines
          title="Invalid"
          lines={list.refused.map((row) => `${inRow(row)}${row.text || 'empty'}. ${row.reason}`)}
        />
        <Lines title="Duplicates removed" lines={list.duplicates.map((each) => `${inRow(each)}${inWords(each)}`)} />
        <Lines title="Will be faxed" lines={list.recipients.map(inWords)} />
      </div>
    </Dialog>
  )
}

/** A long list of recipients in one line, which opens for a closer look. */
export function ListSummary({ list, country, onClear }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <div className={styles.summary}>
      <p role="status">{summaryOf(list)}</p>
      <Button tone="quiet" onClick={() => setShown(true)}>
        Show
      </Button>
      <Button tone="quiet" onClick={onClear}>
        Remove list
      </Button>
      {shown && <ListDialog list={list} country={country} onClose={() => setShown(false)} />}
    </div>
  )
}

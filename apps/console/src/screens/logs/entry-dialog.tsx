import type { LogEntry } from '@faxdeck/contract'
import { DownloadButton } from '../../api/download-button.tsx'
import { useSession } from '../../session/session.ts'
import { Button, CopyButton } from '../../ui/control/button.tsx'
import { PlainCode } from '../../ui/layout/code-block.tsx'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { placeOfFax, sentenceOf, whoOf } from './entry-words.ts'
import { textOf } from './log-filter.ts'
import styles from './logs.module.css'

interface Props {
  entry: LogEntry
  onClose: () => void
  /** Shows what else is known of a fact: of the same job, the same key. */
  onSearch: (search: string) => void
}

/** Everything an entry says. */
export function EntryDialog({ entry, onClose, onSearch }: Props) {
  const { go, canGo } = useSession()
  const { ts, event, ...facts } = entry
  const json = JSON.stringify(entry, null, 2)
  const footer = (
    <>
      <CopyButton text={json} what="entry as JSON" />
      <DownloadButton text={json} name={`${event}.json`} type="application/json" />
    </>
  )
  const { job_id: job } = entry
  const place = placeOfFax(entry)
  const sentence = sentenceOf(entry)
  const who = whoOf(entry)
  return (
    <Dialog title={event} width="wide" onClose={onClose} footer={footer}>
      <div className={styles.entry}>
        <p>
          <Time at={ts} seconds /> <code className="quiet">{ts}</code>
        </p>
        {sentence && <p>{sentence}</p>}
        <FactList facts={Object.entries(facts).map(([name, value]) => [name, textOf(value)])} />
        {(job || who) && (
          <div className={styles.row}>
            {job && place && canGo(place) && <Button onClick={() => go(place, { open: job })}>Open the fax</Button>}
            {job && <Button onClick={() => onSearch(`job_id:${job}`)}>All entries of this job</Button>}
            {who && <Button onClick={() => onSearch(`key_id:${entry.key_id}`)}>All entries by {who}</Button>}
          </div>
        )}
        <PlainCode aria-label="Entry as JSON">{json}</PlainCode>
      </div>
    </Dialog>
  )
}

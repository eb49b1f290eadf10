import type { InboundFax } from '@faxdeck/contract'
import { Button } from '../../ui/control/button.tsx'
import { IconDownload } from '../../ui/control/icons.ts'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { useManyFaxes } from './queries.ts'
import styles from './selection-bar.module.css'

/** The gateway puts so many into one download. */
const maxInboundDownloaded = 200

interface Props {
  /** The chosen faxes with their present facts. */
  faxes: readonly InboundFax[]
  onClear: () => void
}

/** What a download of these faxes leaves out, or why there can be none. */
function downloadNote(chosen: number, kept: number): string | undefined {
  if (kept > maxInboundDownloaded) return `You can download up to ${maxInboundDownloaded} faxes at once.`
  if (kept === 0) return 'The documents of these faxes are no longer stored.'
  return kept < chosen ? `${kept} of ${chosen} have a document to download.` : undefined
}

/** What can be done with the chosen faxes together. */
export function SelectionBar({ faxes, onClear }: Props) {
  const { mark, downloadPdf, downloadZip } = useManyFaxes()
  const kept = faxes.filter((fax) => fax.document_kept).map(({ id }) => id)
  const blocked = kept.length === 0 || kept.length > maxInboundDownloaded
  const note = downloadNote(faxes.length, kept.length)
  const setRead = (read: boolean) => mark.run({ ids: faxes.map(({ id }) => id), read })
  return (
    <section className={styles.bar} aria-label="Selection">
      <strong role="status">{faxes.length} selected</strong>
      <Button icon={IconDownload} busy={downloadPdf.busy} disabled={blocked} onClick={() => downloadPdf.run(kept)}>
        Download one PDF
      </Button>
      <Button icon={IconDownload} busy={downloadZip.busy} disabled={blocked} onClick={() => downloadZip.run(kept)}>
        Download zip
      </Button>
      {faxes.some((fax) => fax.read_at === null) && (
        <Button busy={mark.busy} onClick={() => setRead(true)}>
          Mark as read
        </Button>
      )}
      {faxes.some((fax) => fax.read_at !== null) && (
        <Button busy={mark.busy} onClick={() => setRead(false)}>
          Mark as unread
        </Button>
      )}
      <Button tone="quiet" onClick={onClear}>
        Clear selection
      </Button>
      {note && <span className="muted">{note}</span>}
      {[mark, downloadPdf, downloadZip].map(
        ({ error }, at) =>
          error && (
            <div key={at} className={styles.failed}>
              <ErrorNotice error={error} />
            </div>
          ),
      )}
    </section>
  )
}

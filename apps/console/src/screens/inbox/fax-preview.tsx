import type { InboundFax } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { whyNoDocument } from '../../ui/words/document-words.ts'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { FoundOn } from '../../ui/layout/found-on.tsx'
import { IconDownload } from '../../ui/control/icons.ts'
import { type Mark, PageThumbnail } from '../../ui/fax/page-thumbnail.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { FaxFacts } from './fax-facts.tsx'
import styles from './fax-preview.module.css'
import { faxQuery, loadFaxPage, marksQuery, useFaxActions } from './queries.ts'

interface Props {
  id: string
  /** Words to point out on its pages; '' for none. */
  find: string
  onClose: () => void
}

/** Pixels: a page as wide as the dialog, sharp on a dense screen. */
const pageWidth = 1320

/** A received fax to read: its facts, every page, and what can be done with it. Opening it marks it as read. */
export function FaxPreview({ id, find, onClose }: Props) {
  const { data: fax, error, isFetching, refetch } = useQuery(faxQuery(id))
  const actions = useFaxActions()
  const { mark, fetchAgain, download, downloadOriginal } = actions
  const isTidied = fax?.page_notes.some(({ kind }) => kind === 'tidied')
  const unread = (fax?.status === 'received' || fax?.needs_attention) && fax.read_at === null

  const markRead = useEffectEvent(() => mark.run({ id, read: true }))
  useEffect(() => {
    if (unread) markRead()
  }, [unread])

  const footer = (
    <>
      <Button onClick={onClose}>Close</Button>
      {(fax?.status === 'received' || fax?.concern) && (
        <Button
          onClick={() => {
            mark.run({ id, read: false })
            onClose()
          }}
        >
          Mark as unread
        </Button>
      )}
      {fax && fax.status !== 'received' && (
        <Button tone="primary" busy={fetchAgain.busy} onClick={() => fetchAgain.run(id)}>
          Fetch again
        </Button>
      )}
      {fax?.document_kept && isTidied && (
        <Button busy={downloadOriginal.busy} onClick={() => downloadOriginal.run(id)}>
          Download original
        </Button>
      )}
      {fax?.document_kept && (
        <Button tone="primary" busy={download.busy} onClick={() => download.run(id)}>
          <IconDownload size="1rem" aria-hidden="true" />
          Download PDF
        </Button>
      )}
    </>
  )
  return (
    <Dialog title={`Fax ${id.slice(0, 8)}`} width="wide" onClose={onClose} footer={footer}>
      <div className={styles.preview}>
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} busy={isFetching} />}
        {[mark, fetchAgain, download, downloadOriginal].map(
          (action) => action.error && <ErrorNotice key={action.error.message} error={action.error} />,
        )}
        {!fax && !error && <Skeleton lines={6} height={1.5} />}
        {fax && <FaxFacts fax={fax} />}
        {fax && <Pages fax={fax} find={find} />}
      </div>
    </Dialog>
  )
}

/** Why there is nothing to show of a fax. */
function wordsFor({ status, document_missing: missing }: InboundFax): string {
  if (status === 'received') return whyNoDocument(missing)
  return status === 'failed' ? 'It has no document.' : 'It has no document yet.'
}

function Pages({ fax, find }: { fax: InboundFax; find: string }) {
  const { data: marks, error: unmarked } = useQuery(marksQuery(fax.id, find))
  if (fax.document_kept) {
    const pages = fax.pages ?? 1
    return (
      <>
        {unmarked && <ErrorNotice error={unmarked} />}
        {find !== '' && marks && <FoundOn typed={find} marks={marks} />}
        <div role="group" aria-label="Pages" tabIndex={0} className={styles.pages}>
          {Array.from({ length: pages }, (_, index) => (
            <Page key={index} id={fax.id} page={index + 1} pages={pages} marks={marks?.get(index + 1)} />
          ))}
        </div>
      </>
    )
  }
  return <p className={styles.none}>{wordsFor(fax)}</p>
}

interface PageProps {
  id: string
  page: number
  pages: number
  marks: readonly Mark[] | undefined
}

function Page({ id, page, pages, marks }: PageProps) {
  const load = useMemo(() => loadFaxPage(id, page, pageWidth), [id, page])
  return <PageThumbnail load={load} label={`Page ${page} of ${pages}`} size="full" marks={marks} />
}

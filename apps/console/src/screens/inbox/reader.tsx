import type { InboundFax } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { FaxNotShown } from '../../session/fax-access/fax-not-shown.tsx'
import { OpenedNote, useOwnOpening } from '../../session/fax-access/opened-note.tsx'
import { FaxHoldMenu, FaxHolds } from '../../session/fax-holds.tsx'
import { FaxText } from '../../session/fax-text.tsx'
import { FaxViews } from '../../session/fax-views.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconDownload } from '../../ui/control/icons.ts'
import { FoundOn } from '../../ui/fax/found-on.tsx'
import { Openings } from '../../ui/fax/openings.tsx'
import { type Mark, PageThumbnail } from '../../ui/fax/page-thumbnail.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Details } from '../../ui/overlay/details-pane.tsx'
import { whyNoDocument } from '../../ui/words/document-words.ts'
import { FaxFacts } from './fax-facts.tsx'
import { type FaxDetail, loadFaxPage, marksQuery, useFax, useFaxActions, usePrint } from './queries.ts'
import { plainView, ReaderSteps, ReaderTools, type View } from './reader-tools.tsx'
import styles from './reader.module.css'

interface Props {
  id: string
  /** Beside the list, or as a dialog above it. */
  beside: boolean
  /** Words to point out on its pages; '' for none. */
  find: string
  /** Its neighbors in the list. */
  previous: string | undefined
  next: string | undefined
  onStep: (step: 1 | -1) => void
  onClose: () => void
}

/** A received fax to read: its facts, every page, and what can be done with it. Opening it marks it as read. */
export function Reader({ id, beside, find, previous, next, onStep, onClose }: Props) {
  const { fax } = useFax(id)
  const actions = useFaxActions()
  const title = `Fax ${id.slice(0, 8)}`
  const tools = (
    <>
      <ReaderSteps hasPrevious={previous !== undefined} hasNext={next !== undefined} onStep={onStep} />
      {fax && <FaxHoldMenu id={id} number={fax.fr} groupId={fax.group_id} />}
    </>
  )
  const footer = (
    <>
      {!beside && <Button onClick={onClose}>Close</Button>}
      <Footer id={id} fax={fax} actions={actions} onClose={onClose} />
    </>
  )
  return (
    <Details beside={beside} title={title} tools={tools} onClose={onClose} footer={footer}>
      <Content key={id} id={id} find={find} actions={actions} />
    </Details>
  )
}

interface FooterProps {
  id: string
  fax: FaxDetail | undefined
  actions: ReturnType<typeof useFaxActions>
  onClose: () => void
}

function Footer({ id, fax, actions, onClose }: FooterProps) {
  const { may } = useSession()
  const { mark, fetchAgain, download, downloadOriginal } = actions
  const isOpenedByReason = useOwnOpening(fax?.openings) !== undefined
  const markUnread = () => {
    mark.run({ id, read: false })
    onClose()
  }
  return (
    <>
      {(fax?.status === 'received' || fax?.concern) && !isOpenedByReason && (
        <Button onClick={markUnread}>Mark as unread</Button>
      )}
      {fax && fax.status !== 'received' && may('handle_faxes') && (
        <Button
          tone={fax.document_kept ? 'plain' : 'primary'}
          busy={fetchAgain.busy}
          onClick={() => fetchAgain.run(id)}
        >
          Fetch again
        </Button>
      )}
      {fax?.document_kept && (
        <Button busy={downloadOriginal.busy} onClick={() => downloadOriginal.run(id)}>
          Download original
        </Button>
      )}
      {fax?.document_kept && (
        <Button icon={IconDownload} tone="primary" busy={download.busy} onClick={() => download.run(id)}>
          Download PDF
        </Button>
      )}
    </>
  )
}

/** Marks a fax as read when it is shown, whatever becomes of the one before. Shows only that it failed. */
function ReadMark({ fax }: { fax: InboundFax }) {
  const { mark } = useFaxActions()
  const { id } = fax
  const unread = (fax.status === 'received' || fax.needs_attention) && fax.read_at === null
  const markRead = useEffectEvent(() => mark.run({ id, read: true }))
  useEffect(() => {
    if (unread) markRead()
  }, [unread])
  return mark.error && <ErrorNotice error={mark.error} />
}

function Content({ id, find, actions }: { id: string; find: string; actions: ReturnType<typeof useFaxActions> }) {
  const { fax, error, isFetching, refetch } = useFax(id)
  const openUntil = useOwnOpening(fax?.openings)
  const again = () => void refetch()
  const { mark, fetchAgain, download, downloadOriginal } = actions
  return (
    <div data-reader className={styles.content}>
      {error && <FaxNotShown id={id} error={error} busy={isFetching} onRetry={again} />}
      {openUntil !== undefined && <OpenedNote until={openUntil} onOver={again} />}
      {[mark, fetchAgain, download, downloadOriginal].map(
        (action) => action.error && <ErrorNotice key={action.error.message} error={action.error} />,
      )}
      {!fax && !error && <Skeleton lines={6} height={1.5} />}
      {fax && openUntil === undefined && <ReadMark fax={fax} />}
      {fax && <FaxHolds id={fax.id} />}
      {fax && <FaxFacts fax={fax} />}
      {fax && <Openings openings={fax.openings} />}
      {fax && <FaxViews id={fax.id} />}
      {fax && <Pages fax={fax} find={openUntil === undefined ? find : ''} />}
    </div>
  )
}

/** Why there is nothing to show of a fax. */
function wordsFor({ status, document_missing: missing }: InboundFax): string {
  if (status === 'received') return whyNoDocument(missing)
  return status === 'failed' ? 'This fax has no document.' : 'The document of this fax hasn’t arrived yet.'
}

function Pages({ fax, find }: { fax: InboundFax; find: string }) {
  const { data: marks, error: unmarked } = useQuery(marksQuery(fax.id, find))
  const [view, setView] = useState(plainView)
  const print = usePrint()
  if (!fax.document_kept) return <p className="muted">{wordsFor(fax)}</p>
  const pages = fax.pages ?? 1
  return (
    <>
      {unmarked && <ErrorNotice error={unmarked} />}
      {find !== '' && marks && <FoundOn typed={find} marks={marks} />}
      {print.error && <ErrorNotice error={print.error} />}
      <FaxText direction="received" id={fax.id} />
      <ReaderTools view={view} onView={setView} onPrint={() => print.run(fax.id)} />
      <div
        role="group"
        aria-label="Pages"
        tabIndex={0}
        className={styles.pages}
        style={{ '--zoom': view.zoom } as CSSProperties}
      >
        {Array.from({ length: pages }, (_, index) => (
          <Page key={index} id={fax.id} page={index + 1} pages={pages} view={view} marks={marks?.get(index + 1)} />
        ))}
      </div>
    </>
  )
}

/** Pixels: a page as wide as the reader on a dense screen; enlarged, every dot of the fax. */
const pageWidth = 1320
const allDots = 1728

interface PageProps {
  id: string
  page: number
  pages: number
  view: View
  marks: readonly Mark[] | undefined
}

function Page({ id, page, pages, view, marks }: PageProps) {
  const width = view.zoom > 1 ? allDots : pageWidth
  const load = useMemo(() => loadFaxPage(id, page, width), [id, page, width])
  return <PageThumbnail load={load} label={`Page ${page} of ${pages}`} size="full" marks={marks} turn={view.turn} />
}

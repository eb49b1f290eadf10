import type { InboundFax } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { providerName, type Providers, providersQuery } from '../../api/overview.ts'
import { FaxNumber } from '../../session/fax-number.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconDownload, IconFileOff, IconRefresh } from '../../ui/control/icons.ts'
import { Chip, StatusChip } from '../../ui/control/status-chip.tsx'
import { ShortId } from '../../ui/fax/masked-number.tsx'
import { PageThumbnail } from '../../ui/fax/page-thumbnail.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column, Selection } from '../../ui/table/table-columns.ts'
import { Time } from '../../ui/time.tsx'
import styles from './inbox-table.module.css'
import { loadFaxPage, useFaxActions } from './queries.ts'

interface Props {
  faxes: readonly InboundFax[]
  /** Beside an open fax: leaves out what the reader shows. */
  narrow: boolean
  selection: Selection
  current: string | undefined
  /** Hears why an action of a row failed; undefined when the next one begins. */
  onFailure: (failure: Error | undefined) => void
  onOpen: (fax: InboundFax) => void
}

/** Pixels: twice the picture's width on a small screen. */
const thumbnailWidth = 128

const isUnread = (fax: InboundFax) => (fax.status === 'received' || fax.needs_attention) && fax.read_at === null
const nameOf = (fax: InboundFax) => `fax ${fax.id.slice(0, 8)}`

function Thumbnail({ fax }: { fax: InboundFax }) {
  const load = useMemo(() => loadFaxPage(fax.id, 1, thumbnailWidth), [fax.id])
  if (!fax.document_kept) {
    return (
      <span className={styles.noThumbnail} title={fax.document_missing ? 'Document missing' : 'No document'}>
        <IconFileOff size="1rem" aria-hidden="true" />
        <span className="unseen">{`${fax.document_missing ? 'Missing' : 'No'} document of ${nameOf(fax)}`}</span>
      </span>
    )
  }
  return (
    <span className={styles.thumbnail}>
      <PageThumbnail load={load} label={`First page of ${nameOf(fax)}`} size="full" />
    </span>
  )
}

function RowActions({ fax, onFailure }: { fax: InboundFax; onFailure: Props['onFailure'] }) {
  const { may } = useSession()
  const { download, fetchAgain } = useFaxActions(onFailure)
  if (fax.document_kept) {
    return (
      <Button
        icon={IconDownload}
        tone="quiet"
        busy={download.busy}
        aria-label={`Download ${nameOf(fax)}`}
        onClick={() => download.run(fax.id)}
      >
        Download
      </Button>
    )
  }
  if (fax.status === 'received') {
    return <span className="muted">{fax.document_missing ? 'Document missing' : 'No longer kept'}</span>
  }
  if (!may('handle_faxes')) return null
  return (
    <Button
      icon={IconRefresh}
      tone="quiet"
      busy={fetchAgain.busy}
      aria-label={`Fetch again: ${nameOf(fax)}`}
      onClick={() => fetchAgain.run(fax.id)}
    >
      Fetch again
    </Button>
  )
}

function columnsFor(onFailure: Props['onFailure'], providers: Providers | undefined): Column<InboundFax>[] {
  return [
    { key: 'page', label: 'First page', width: '5.5rem', card: 'side', cell: (fax) => <Thumbnail fax={fax} /> },
    {
      key: 'id',
      label: 'ID',
      width: '7.5rem',
      card: 'title',
      cell: (fax) => (
        <span className={styles.id} data-unread={isUnread(fax) || undefined}>
          {isUnread(fax) && <span className="unseen">Unread: </span>}
          <ShortId id={fax.id} />
        </span>
      ),
    },
    {
      key: 'fr',
      label: 'From',
      card: 'lead',
      cell: (fax) => <FaxNumber id={fax.id} side="fr" number={fax.fr} look="list" />,
    },
    { key: 'to', label: 'To', cell: (fax) => <FaxNumber id={fax.id} side="to" number={fax.to} look="list" /> },
    {
      key: 'status',
      label: 'Status',
      width: '10.75rem',
      cell: (fax) => (
        <span className={styles.status} title={fax.concern ?? fax.error ?? undefined}>
          <StatusChip status={fax.needs_attention ? 'Needs a look' : fax.status} />
          {fax.is_test && <Chip tone="plain">Test</Chip>}
        </span>
      ),
    },
    {
      key: 'backend',
      label: 'Backend',
      width: '7rem',
      card: 'hidden',
      cell: (fax) => providerName(fax.backend, providers),
    },
    { key: 'pages', label: 'Pages', width: '4.5rem', align: 'end', cell: (fax) => fax.pages ?? '—' },
    { key: 'received', label: 'Received', width: '8rem', cell: (fax) => <Time at={fax.received_at} /> },
    {
      key: 'actions',
      label: 'Actions',
      width: '10rem',
      card: 'foot',
      cell: (fax) => (
        <span className={styles.actions}>
          <RowActions fax={fax} onFailure={onFailure} />
        </span>
      ),
    },
  ]
}

/** The columns that are left beside the fax that is open. */
const narrowWidths: Readonly<Record<string, string>> = {
  id: '7.5rem',
  fr: '5.75rem',
  status: '10.5rem',
  received: '7.25rem',
}
const narrowed = (columns: readonly Column<InboundFax>[]) =>
  columns.flatMap((column) => {
    const width = narrowWidths[column.key]
    return width === undefined ? [] : [{ ...column, width }]
  })

/** The received faxes: rows where there is room, cards where there is not. */
export function InboxTable({ faxes, narrow, selection, current, onFailure, onOpen }: Props) {
  const { data: providers } = useQuery(providersQuery)
  const columns = columnsFor(onFailure, providers)
  return (
    <div className={styles.list} data-narrow={narrow || undefined}>
      <DataTable
        label="Received faxes"
        rows={faxes}
        idOf={(fax) => fax.id}
        nameOf={nameOf}
        columns={narrow ? narrowed(columns) : columns}
        selection={selection}
        current={current}
        onOpen={onOpen}
      />
    </div>
  )
}

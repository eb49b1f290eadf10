import type { PendingFax } from '@faxdeck/contract'
import { formatNumber } from '@faxdeck/contract/phone'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Chip } from '../../ui/control/status-chip.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { Time } from '../../ui/time.tsx'
import { countPages } from '../../ui/words/figures.ts'
import { askerOf, keyInWords } from './approval-words.ts'
import styles from './approvals.module.css'
import { decidedQuery } from './queries.ts'

const outcomes = {
  waiting: { tone: 'info', word: 'Waiting' },
  approved: { tone: 'ok', word: 'Approved' },
  refused: { tone: 'plain', word: 'Refused' },
  expired: { tone: 'warn', word: 'Expired' },
} as const

function Outcome({ fax: { state } }: { fax: PendingFax }) {
  const { tone, word } = outcomes[state]
  return <Chip tone={tone}>{word}</Chip>
}

/** Nobody decides what expires. */
const deciderOf = ({ decided_by: key, decided_by_name: name }: PendingFax) =>
  key === null ? '—' : keyInWords(key, name)

function documentOf({ pages, file_name: name }: PendingFax): string {
  return name === null ? countPages(pages) : `${countPages(pages)} of ${name}`
}

const columns: Column<PendingFax>[] = [
  {
    key: 'to',
    label: 'To',
    card: 'title',
    width: '10.5rem',
    cell: ({ to }) => formatNumber(to),
  },
  { key: 'outcome', label: 'Outcome', card: 'side', width: '7rem', cell: (fax) => <Outcome fax={fax} /> },
  { key: 'document', label: 'Document', cell: documentOf },
  { key: 'asker', label: 'Requested by', cell: askerOf },
  { key: 'decider', label: 'Decided by', cell: deciderOf },
  { key: 'at', label: 'Decided', width: '7.5rem', cell: ({ decided_at: at }) => <Time at={at} /> },
  { key: 'fax', label: 'Fax', width: '6.5rem', align: 'end', card: 'foot', cell: (fax) => <ShowFax fax={fax} /> },
]

function ShowFax({ fax: { to, job_id: job } }: { fax: PendingFax }) {
  const { canGo, go } = useSession()
  if (job === null || !canGo('jobs')) return '—'
  return (
    <Button tone="quiet" aria-label={`Show the fax to ${formatNumber(to)}`} onClick={() => go('jobs', { open: job })}>
      Show
    </Button>
  )
}

/** Shown before more are asked for: the settings below are what most people come for. */
const few = 5

/** What became of the last faxes that assistants asked for: who decided, when, and what. */
export function Decided() {
  const { data: decided = [], error, isFetching, refetch } = useQuery(decidedQuery)
  const [all, setAll] = useState(false)
  if (!error && decided.length === 0) return null
  const shown = all ? decided : decided.slice(0, few)
  return (
    <section className={styles.decided} aria-labelledby="mcp-decided">
      <h2 id="mcp-decided">Recent decisions</h2>
      {error && (
        <ErrorNotice
          error={error}
          what="Failed to fetch recent decisions"
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {shown.length > 0 && (
        <DataTable
          label="Recent decisions"
          rows={shown}
          idOf={({ id }) => id}
          nameOf={({ to }) => `fax to ${formatNumber(to)}`}
          columns={columns}
        />
      )}
      {shown.length < decided.length && <Button onClick={() => setAll(true)}>Show the last {decided.length}</Button>}
    </section>
  )
}

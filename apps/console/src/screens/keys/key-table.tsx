import type { ApiKey } from '@faxdeck/contract'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import { Button } from '../../ui/control/button.tsx'
import { Chip } from '../../ui/control/status-chip.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/table-columns.ts'
import { Time } from '../../ui/time.tsx'
import styles from './keys.module.css'
import { isOwnKey } from './queries.ts'
import { ReceivedLimit } from './received-limit.tsx'
import { accessWords, scopeNames } from './scopes.ts'

export type KeyChange = 'rotate' | 'revoke'

interface Props {
  keys: readonly ApiKey[]
  onChange: (key: ApiKey, change: KeyChange) => void
}

/** What a key is called: its name, else its id. */
export const keyName = (key: ApiKey) => key.name ?? key.key_id

function Name({ row }: { row: ApiKey }) {
  return (
    <span className={styles.name} title={row.name ?? undefined}>
      {row.name ? <span>{row.name}</span> : <span className="muted">Unnamed</span>}
      {isOwnKey(row) && <Chip tone="info">Yours</Chip>}
    </span>
  )
}

const isOver = (instant: string) => Date.parse(instant) < gatewayNow()

function Expiry({ row }: { row: ApiKey }) {
  if (!row.expires_at) return 'Never'
  return isOver(row.expires_at) ? <Chip tone="bad">Expired</Chip> : <Time at={row.expires_at} dayOnly />
}

function Access({ row }: { row: ApiKey }) {
  const { name, meaning } = accessWords[row.fax_access]
  return (
    <span className={styles.access}>
      <span title={meaning}>{name}</span>
      <ReceivedLimit row={row} />
    </span>
  )
}

function columnsFor(onChange: Props['onChange']): Column<ApiKey>[] {
  return [
    { key: 'name', label: 'Name', card: 'title', cell: (row) => <Name row={row} /> },
    { key: 'id', label: 'Key ID', width: '8.5rem', cell: (row) => <code>{row.key_id}</code> },
    {
      key: 'owner',
      label: 'Owner',
      width: '7.5rem',
      cell: (row) => row.owner ?? '—',
    },
    {
      key: 'scopes',
      label: 'Scopes',
      width: 'minmax(0, 1.25fr)',
      cell: ({ scopes }) => (
        <span title={scopes.join(', ')}>{scopes.map((scope) => scopeNames[scope]).join(', ')}</span>
      ),
    },
    { key: 'faxes', label: 'Faxes', width: '8rem', cell: (row) => <Access row={row} /> },
    { key: 'created', label: 'Created', width: '7rem', cell: (row) => <Time at={row.created_at} dayOnly /> },
    { key: 'used', label: 'Last used', width: '7rem', cell: (row) => <Time at={row.last_used_at} /> },
    { key: 'expires', label: 'Expires', width: '7rem', cell: (row) => <Expiry row={row} /> },
    {
      key: 'actions',
      label: 'Actions',
      width: '11rem',
      align: 'end',
      card: 'foot',
      cell: (row) => (
        <span className={styles.actions}>
          <Button tone="quiet" aria-label={`Rotate ${keyName(row)}`} onClick={() => onChange(row, 'rotate')}>
            Rotate
          </Button>
          <Button tone="quiet" aria-label={`Revoke ${keyName(row)}`} onClick={() => onChange(row, 'revoke')}>
            Revoke
          </Button>
        </span>
      ),
    },
  ]
}

/** The live keys, each with what may be done to it. */
export function KeyTable({ keys, onChange }: Props) {
  return (
    <DataTable
      label="API keys"
      rows={keys}
      idOf={(row) => row.key_id}
      nameOf={(row) => `key ${keyName(row)}`}
      columns={columnsFor(onChange)}
    />
  )
}

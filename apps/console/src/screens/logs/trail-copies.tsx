import type { TrailCopy } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { Time } from '../../ui/time.tsx'
import { grouped } from '../../ui/words/figures.ts'
import styles from './logs.module.css'
import { trailCopiesQuery } from './queries.ts'

const sinks = { syslog: 'Syslog', webhook: 'Webhook', file: 'File' } as const
const entries = (count: number) => (count === 1 ? '1 entry' : `${grouped(count)} entries`)

/** How the copy fares, the outcome first. */
function stateInWords({ state, behind, copied, cut_at: at, error }: TrailCopy): string {
  if (state === 'cut') {
    return `The audit trail no longer matches this copy: entry ${grouped(at ?? 1)} or a later one was removed or changed in the database. Compare them with faxdeck verify-audit --copy.`
  }
  const reason = error === null ? '' : ` ${error}`
  if (state === 'standing') return `Not up to date: ${entries(behind)} waiting.${reason}`
  if (state === 'failing') return `The last attempt failed. Retrying. ${entries(behind)} waiting.${reason}`
  return behind === 0 ? `Up to date: ${entries(copied)} copied.` : `${entries(behind)} waiting to be copied.`
}

/** Where the audit trail is copied to, and how far. Nothing where it is copied nowhere. */
export function TrailCopies() {
  const { data, error, isFetching, refetch } = useQuery(trailCopiesQuery)
  if (error) return <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />
  if (!data || data.length === 0) return null
  return (
    <ul className={styles.copies} aria-label="Copies of the audit trail">
      {data.map((copy) => (
        <li key={copy.sink} data-state={copy.state}>
          <span>
            <strong>{sinks[copy.sink]}</strong> <span className="quiet">{copy.target}</span>
          </span>
          <span>{stateInWords(copy)}</span>
          {copy.anchored_at && (
            <span className="quiet">
              Anchored <Time at={copy.anchored_at} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

import type { Retention } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice, Note } from '../../ui/layout/states.tsx'
import { Time } from '../../ui/time.tsx'
import { grouped } from '../../ui/words/figures.ts'
import { retentionQuery, useSteerCleaning } from './queries.ts'
import styles from './retention.module.css'

const dayMs = 24 * 3_600_000

/** Says that more than usual will be deleted, that deletions are paused, or that they go by another time. */
export function CleaningNotice() {
  const { data } = useQuery(retentionQuery)
  if (!data) return null
  const { announced, deletes_at: at, paused_at: pausedAt } = data.cleaning
  return (
    <>
      {pausedAt !== null && <Paused cleaning={data.cleaning} />}
      {pausedAt === null && announced > 0 && at !== null && (
        <Steered change="pauseDeletions" label="Pause deletions">
          {announced === 1 ? 'The documents of 1 fax are' : `The documents of ${grouped(announced)} faxes are`} past
          their retention period, more than usual. They are deleted after <Time at={at} />. This cannot be undone.
        </Steered>
      )}
      <Clock cleaning={data.cleaning} />
    </>
  )
}

function Paused({ cleaning: { paused_at: at, paused_by_name: name } }: Pick<Retention, 'cleaning'>) {
  return (
    <Steered change="resumeDeletions" label="Resume deletions">
      Deletions are paused since {at !== null && <Time at={at} />}
      {name !== null && ` by ${name}`}. No document is deleted because it is past its retention period.
    </Steered>
  )
}

function Clock({ cleaning: { believed_at: at } }: Pick<Retention, 'cleaning'>) {
  const off = at === null ? 0 : gatewayNow() - Date.parse(at)
  if (at === null || Math.abs(off) < dayMs) return null
  return (
    <Steered change="confirmClock" label="The clock is right">
      Faxdeck has not seen all of the time pass that this machine’s clock shows. Deletions go by <Time at={at} /> until
      a provider shows the time. If the clock of this machine is right, confirm it.
    </Steered>
  )
}

interface SteeredProps {
  change: Parameters<typeof useSteerCleaning>[0]
  label: string
  children: ReactNode
}

function Steered({ change, label, children }: SteeredProps) {
  const { run, busy, error } = useSteerCleaning(change)
  return (
    <div className={styles.cleaning}>
      <Note tone="warn">
        <div className={styles.head}>
          <p>{children}</p>
          <Button busy={busy} onClick={() => run(undefined)}>
            {label}
          </Button>
        </div>
      </Note>
      {error && <ErrorNotice error={error} busy={busy} onRetry={() => run(undefined)} />}
    </div>
  )
}

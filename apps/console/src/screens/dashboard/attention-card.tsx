import type { Activity } from '@faxdeck/contract'
import { useSession } from '../../shell/session.ts'
import { IconCheck } from '../../ui/control/icons.ts'
import { MaskedNumber } from '../../ui/fax/masked-number.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { StatusChip } from '../../ui/fax/status-chip.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './attention-card.module.css'
import { DatedCard } from './health-cards.tsx'

type Concern = Activity['attention'][number]

const words = {
  held: 'Held',
  uncertain: 'Unconfirmed',
  unclear: 'Needs a look',
  duplicate: 'Duplicate',
  failed: 'Failed',
  late: 'Late',
  unhealthy: 'Unhealthy',
} as const

/** What a person should look at first, each a way to its place. */
export function AttentionCard({
  activity,
  oldSince,
}: {
  activity: Activity | undefined
  oldSince: string | undefined
}) {
  return (
    <DatedCard oldSince={oldSince} title="Needs attention" width="third">
      {!activity && <Skeleton />}
      {activity?.attention.length === 0 && (
        <p className={styles.calm}>
          <IconCheck size="1.125rem" aria-hidden="true" />
          Nothing needs you.
        </p>
      )}
      <ul>
        {activity?.attention.map((concern) => (
          <li key={`${concern.kind} ${concern.job_id ?? concern.inbound_id} ${concern.at}`} className={styles.row}>
            <ConcernRow concern={concern} />
          </li>
        ))}
      </ul>
    </DatedCard>
  )
}

/** Where a concern is looked after, and what is open there. */
function placeOf({ kind, job_id: job, inbound_id: received }: Concern): [target: string, open: string | null] {
  if (kind === 'held') return ['jobs', 'held']
  if (received) return ['inbound', received]
  return job ? ['jobs', job] : ['tools/diagnostics', null]
}

function Title({ concern }: { concern: Concern }) {
  const { kind, to_number: to, inbound_id: received, from_number: from } = concern
  if (kind === 'held') return 'After a restore'
  if (to) {
    return (
      <>
        Fax to <MaskedNumber number={to} />
      </>
    )
  }
  if (!received) return 'Provider'
  return from ? (
    <>
      Fax from <MaskedNumber number={from} />
    </>
  ) : (
    'Fax from an unknown number'
  )
}

function ConcernRow({ concern }: { concern: Concern }) {
  const { go, canGo } = useSession()
  const { kind, sentence, at } = concern
  const [target, open] = placeOf(concern)
  const face = (
    <>
      <span className={styles.kind}>
        <StatusChip status={words[kind]} />
      </span>
      <span className={styles.title}>
        <Title concern={concern} />
      </span>
      <span className={styles.sentence}>
        {sentence} <Time at={at} />
      </span>
    </>
  )
  if (!canGo(target)) return <div className={styles.face}>{face}</div>
  return (
    <button type="button" className={styles.face} onClick={() => go(target, open ? { open } : {})}>
      {face}
    </button>
  )
}

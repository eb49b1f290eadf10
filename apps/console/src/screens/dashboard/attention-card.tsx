import type { Activity } from '@faxdeck/contract'
import type { ComponentProps } from 'react'
import { useSession } from '../../session/session.ts'
import { IconCheck } from '../../ui/control/icons.ts'
import { StatusChip } from '../../ui/control/status-chip.tsx'
import { MaskedNumber } from '../../ui/fax/masked-number.tsx'
import { ShowAll } from '../../ui/layout/show-all.tsx'
import { Skeleton } from '../../ui/layout/states.tsx'
import { Time } from '../../ui/time.tsx'
import { grouped } from '../../ui/words/figures.ts'
import styles from './attention-card.module.css'
import { type Concern, type ConcernGroup, countLimit, groupConcerns, wayTo } from './attention-groups.ts'
import { DatedCard } from './health-cards.tsx'

const words = {
  held: 'Held',
  uncertain: 'Unconfirmed',
  partial: 'Partial',
  unclear: 'Needs a look',
  duplicate: 'Duplicate',
  failed: 'Failed',
  late: 'Late',
  unhealthy: 'Unhealthy',
  webhook: 'Stopped',
  backup: 'Late',
} as const

interface Props extends Required<Pick<ComponentProps<typeof DatedCard>, 'width'>> {
  activity: Activity | undefined
  oldSince: string | undefined
}

/** What a person should look at first, by cause, each a way to its place. */
export function AttentionCard({ activity, oldSince, width }: Props) {
  return (
    <DatedCard oldSince={oldSince} title="Needs attention" width={width}>
      {!activity && <Skeleton />}
      {activity?.attention.length === 0 && (
        <p className={styles.calm}>
          <IconCheck size="1.125rem" aria-hidden="true" />
          All clear. Nothing needs attention.
        </p>
      )}
      {activity && (
        <ShowAll items={groupConcerns(activity.attention)} first={5} atMost what="causes">
          {(groups) => (
            <ul>
              {groups.map((group) => (
                <li
                  key={`${group.kind} ${group.first.job_id ?? group.first.inbound_id} ${group.first.at}`}
                  className={styles.row}
                >
                  <GroupRow group={group} />
                </li>
              ))}
            </ul>
          )}
        </ShowAll>
      )}
    </DatedCard>
  )
}

/** "7 faxes"; the gateway counts a limited number of them, so that there may be more. */
function countWords({ count, isInbound }: ConcernGroup): string {
  return `${count >= countLimit ? 'At least ' : ''}${grouped(count)} ${isInbound ? 'received faxes' : 'faxes'}`
}

function Title({ group }: { group: ConcernGroup }) {
  const { kind, to_number: to, inbound_id: received, from_number: from } = group.first
  if (kind === 'held') return 'After a restore'
  if (kind === 'webhook') return 'Webhook'
  if (kind === 'backup') return 'Backup'
  if (group.count > 1) return countWords(group)
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

/** What is said of several faxes of which each has a sentence of its own. */
const together: Partial<Record<Concern['kind'], string>> = {
  uncertain: 'They may or may not have arrived. You decide.',
  partial: 'Only some of their pages arrived.',
  duplicate: 'They may have been delivered twice.',
  unclear: 'They may not be complete.',
}

function GroupRow({ group }: { group: ConcernGroup }) {
  const { go, canGo } = useSession()
  const { kind, first, count, sentence } = group
  const [target, options] = wayTo(group)
  const face = (
    <>
      <span className={styles.kind}>
        <StatusChip status={words[kind]} />
      </span>
      <span className={styles.title}>
        <Title group={group} />
      </span>
      <span className={styles.sentence}>
        {sentence ?? together[kind]} {count > 1 && 'Last: '}
        <Time at={first.at} />
      </span>
    </>
  )
  if (!canGo(target)) return <div className={styles.face}>{face}</div>
  return (
    <button type="button" className={styles.face} onClick={() => go(target, options)}>
      {face}
    </button>
  )
}

import type { Activity, ActivityRange } from '@faxdeck/contract'
import type { ComponentProps } from 'react'
import { useSession } from '../../session/session.ts'
import { Skeleton } from '../../ui/layout/states.tsx'
import { Views } from '../../ui/layout/tabs.tsx'
import { localMinute, rangeWords } from '../../ui/time-range.ts'
import styles from './activity-chart.module.css'
import { ActivityChart } from './activity-chart.tsx'
import type { Slot } from './chart-shape.ts'
import { DatedCard } from './health-cards.tsx'

const ranges: readonly { key: ActivityRange; label: string }[] = [
  { key: '1h', label: '1 h' },
  { key: '24h', label: '24 h' },
  { key: '7d', label: '7 d' },
  { key: '30d', label: '30 d' },
]

interface Props extends Required<Pick<ComponentProps<typeof DatedCard>, 'width'>> {
  activity: Activity | undefined
  oldSince: string | undefined
  range: ActivityRange
  onRange: (range: ActivityRange) => void
}

/** Delivered, failed and received faxes over time; a bar leads to its faxes. */
export function ActivityCard({ activity, oldSince, width, range, onRange }: Props) {
  const { go, canGo } = useSession()
  const open = (slot: Slot, status?: 'SUCCESS' | 'FAILED') => {
    const begin = Date.parse(slot.hour)
    const end = begin + (activity?.slot_minutes ?? 60) * 60_000
    const filter = new URLSearchParams({
      ...(status && { status }),
      time: 'ended',
      range: 'custom',
      from: localMinute(new Date(begin)),
      to: localMinute(new Date(end)),
    })
    go('jobs', { open: `list?${filter.toString()}` })
  }
  return (
    <DatedCard oldSince={oldSince} title={rangeWords[range]} width={width}>
      <div className={styles.ranges}>
        <Views label="Time" tabs={ranges} current={range} onGo={onRange} />
      </div>
      {activity ? (
        <ActivityChart
          slots={activity.hours}
          slotMinutes={activity.slot_minutes}
          medianSeconds={activity.median_seconds}
          onOpen={canGo('jobs') ? open : undefined}
        />
      ) : (
        <Skeleton lines={width === 'third' ? 2 : 6} height={1.625} />
      )}
    </DatedCard>
  )
}

import type { Activity, ActivityRange } from '@faxdeck/contract'
import { useSession } from '../../shell/session.ts'
import { SelectField } from '../../ui/form/select-field.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { localMinute, rangeWords } from '../../ui/time-range.ts'
import { ActivityChart } from './activity-chart.tsx'
import type { Slot } from './chart-shape.ts'
import { DatedCard } from './health-cards.tsx'

const ranges: readonly ActivityRange[] = ['1h', '24h', '7d', '30d']

interface Props {
  activity: Activity | undefined
  oldSince: string | undefined
  range: ActivityRange
  onRange: (range: ActivityRange) => void
}

/** Delivered, failed and received faxes over time; a bar leads to its faxes. */
export function ActivityCard({ activity, oldSince, range, onRange }: Props) {
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
    <DatedCard oldSince={oldSince} title={rangeWords[range]} width="two-thirds">
      <SelectField
        label="Time"
        value={range}
        choices={ranges.map((value) => ({ value, label: rangeWords[value] }))}
        onChange={onRange}
      />
      {activity ? (
        <ActivityChart
          slots={activity.hours}
          slotMinutes={activity.slot_minutes}
          medianSeconds={activity.median_seconds}
          onOpen={canGo('jobs') ? open : undefined}
        />
      ) : (
        <Skeleton lines={6} height={1.625} />
      )}
    </DatedCard>
  )
}

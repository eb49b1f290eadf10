import type { Activity } from '@faxdeck/contract'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { ActivityChart } from './activity-chart.tsx'
import { DatedCard } from './health-cards.tsx'

/** Delivered, failed and received faxes, hour by hour. */
export function ActivityCard({ activity, oldSince }: { activity: Activity | undefined; oldSince: string | undefined }) {
  return (
    <DatedCard oldSince={oldSince} title="Last 24 hours" width="two-thirds">
      {activity ? <ActivityChart hours={activity.hours} /> : <Skeleton lines={6} height={1.625} />}
    </DatedCard>
  )
}

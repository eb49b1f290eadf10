import type { Activity } from '@faxdeck/contract'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ActivityChart } from './activity-chart.tsx'

/** Delivered, failed and received faxes, hour by hour. */
export function ActivityCard({ activity }: { activity: Activity | undefined }) {
  return (
    <Card title="Last 24 hours" width="two-thirds">
      {activity ? <ActivityChart hours={activity.hours} /> : <Skeleton lines={6} height={1.625} />}
    </Card>
  )
}

import type { Activity } from '@faxdeck/contract'
import { Card } from '../../ui/card.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ActivityChart } from './activity-chart.tsx'

interface Props {
  activity: Activity | undefined
  error: Error | null
  onRetry: () => void
}

/** Delivered, failed and received faxes, hour by hour. */
export function ActivityCard({ activity, error, onRetry }: Props) {
  return (
    <Card title="Last 24 hours" width="two-thirds">
      {activity && <ActivityChart hours={activity.hours} />}
      {!activity && error && <ErrorNotice error={error} onRetry={onRetry} />}
      {!activity && !error && <Skeleton lines={6} height={1.5} />}
    </Card>
  )
}

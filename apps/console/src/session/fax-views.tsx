import { useQuery } from '@tanstack/react-query'
import { faxViewsQuery, saveFaxReport } from '../api/fax-views.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/control/button.tsx'
import { Views } from '../ui/fax/views.tsx'
import { ErrorNotice } from '../ui/layout/states.tsx'
import { useSession } from './session.ts'

/** Who opened a fax, for who may read the audit trail. Nothing for everybody else. */
export function FaxViews({ id }: { id: string }) {
  const { may } = useSession()
  const { data, error, isFetching, refetch } = useQuery(faxViewsQuery(id, may('read_trail')))
  const report = useAction(() => saveFaxReport(id))
  if (error) return <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return null
  return (
    <Views {...data}>
      <Button busy={report.busy} onClick={() => report.run(undefined)}>
        Audit report (PDF)
      </Button>
      {report.error && <ErrorNotice error={report.error} />}
    </Views>
  )
}

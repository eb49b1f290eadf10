import { useQuery } from '@tanstack/react-query'
import { faxViewsQuery } from '../api/fax-views.ts'
import { Views } from '../ui/fax/views.tsx'
import { ErrorNotice } from '../ui/layout/states.tsx'
import { useSession } from './session.ts'

/** Who opened a fax, for who may read the audit trail. Nothing for everybody else. */
export function FaxViews({ id }: { id: string }) {
  const { may } = useSession()
  const { data, error, isFetching, refetch } = useQuery(faxViewsQuery(id, may('read_trail')))
  if (error) return <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />
  return data && <Views {...data} />
}

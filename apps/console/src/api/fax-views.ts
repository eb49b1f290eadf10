import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** Who opened a fax. Only who may read the audit trail is answered. */
export const faxViewsQuery = (id: string, mayKnow: boolean) =>
  queryOptions({
    queryKey: ['fax-views', id],
    queryFn: ({ signal }) => client.listFaxViews({ params: { id } }, { signal }),
    enabled: mayKnow,
    // The views of whoever looks are among them.
    staleTime: 0,
  })

/** Records that the open fax is printed. */
export const notePrint = (id: string) => client.notePrint({ params: { id } })

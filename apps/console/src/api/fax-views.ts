import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { saveFile } from './download.ts'

/** Who opened a fax. Only who may read the audit trail is answered. */
export const faxViewsQuery = (id: string, mayKnow: boolean) =>
  queryOptions({
    queryKey: ['fax-views', id],
    queryFn: ({ signal }) => client.listFaxViews({ params: { id } }, { signal }),
    enabled: mayKnow,
    // The views of whoever looks are among them: they are recorded once a page is on its way, so that it is asked again.
    staleTime: 0,
    refetchInterval: ({ state }) => state.dataUpdateCount < 3 && 2000,
  })

/** Records that the open fax is printed. */
export const notePrint = (id: string) => client.notePrint({ params: { id } })

/** Downloads what the audit trail says about the fax. */
export async function saveFaxReport(id: string): Promise<void> {
  const report = await client.reportRecords({ body: { kind: 'fax', subject: id } })
  saveFile(report, `audit-report_fax_${id.slice(0, 8)}.pdf`)
}

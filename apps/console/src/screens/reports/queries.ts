import type { InputOf, ReportSection, Routes } from '@faxdeck/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { saveFile } from '../../api/download.ts'
import { queryOf, type ReportFields } from './report-fields.ts'

export type PriceTerms = InputOf<Routes['savePrice']>['body']

const apartMs = 60_000

/** The report of the chosen period; no question at all while its dates are not filled in. */
export const reportQuery = (fields: ReportFields, now: Date) => {
  const query = queryOf(fields, now)
  return queryOptions({
    queryKey: ['reports', query],
    queryFn: ({ signal }) => client.getReport({ query }, { signal }),
    enabled: query.from !== '' && query.to !== '',
    placeholderData: keepPreviousData,
    staleTime: apartMs,
  })
}

export const pricesQuery = callQuery(['report-prices'], client.listPrices, { staleTime: apartMs })

export const savePrice = (body: PriceTerms) => client.savePrice({ body })
export const removePrice = (id: string) => client.removePrice({ params: { id } })

/** Downloads one table of the report. */
export async function saveTable(fields: ReportFields, section: ReportSection, now: Date): Promise<void> {
  const query = queryOf(fields, now)
  const csv = await client.exportReport({ query: { ...query, section } })
  saveFile(csv, `report-${section}-${query.from}-${query.to}.csv`)
}

import type { Deletion, InputOf, Retention, Routes } from '@faxdeck/contract'
import { infiniteQueryOptions, keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { saveFile } from '../../api/download.ts'
import { holdsKey } from '../../api/holds.ts'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import { useAction } from '../../api/use-action.ts'
import { boundsOf, type TimeRange } from '../../ui/time-range.ts'

const pageSize = 200

export const holdsQuery = callQuery([...holdsKey, 'all'], client.listHolds)

export const useLiftHold = (onDone: () => void) =>
  useAction(({ id, reason }: { id: string; reason: string }) => client.liftHold({ params: { id }, body: { reason } }), {
    onDone,
    refreshes: [holdsKey],
    toast: 'Hold lifted',
  })

/** Who and what a hold can be about. */
export const peopleQuery = callQuery(['people'], client.listPeople)
export const keysQuery = callQuery(['api-keys'], client.listApiKeys)

export const retentionQuery = callQuery(['retention'], client.getRetention)

/** Saves the rules of groups. After a refusal they are read again: somebody else may have changed them. */
export function useSaveRules(onDone: () => void) {
  const queries = useQueryClient()
  const save = async (body: Pick<Retention, 'rules' | 'version'>) => {
    try {
      return await client.setRetention({ body })
    } catch (error) {
      void queries.invalidateQueries({ queryKey: retentionQuery.queryKey })
      throw error
    }
  }
  return useAction(save, {
    onDone: (saved) => {
      queries.setQueryData(retentionQuery.queryKey, saved)
      onDone()
    },
    toast: 'Retention rules saved',
  })
}

const changes = {
  pauseDeletions: () => client.pauseDeletions({}),
  resumeDeletions: () => client.resumeDeletions({}),
  confirmClock: () => client.confirmClock({}),
}

/** Pauses or resumes deletions, or confirms the clock that they go by. */
export const useSteerCleaning = (change: keyof typeof changes) => {
  const queries = useQueryClient()
  return useAction(changes[change], {
    onDone: (retention) => queries.setQueryData(retentionQuery.queryKey, retention),
    refreshes: [['health-status']],
  })
}

/** What was deleted in a stretch of time, newest first, page by page. */
export const deletionsQuery = (range: TimeRange) =>
  infiniteQueryOptions({
    queryKey: ['deletions', range],
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      return client.listDeletions(
        { query: { ...boundsOf(range, gatewayNow()), ...before, limit: pageSize } },
        { signal },
      )
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

const maxPrinted = 5000
const printedAtOnce = 1000

/** The newest of them for paper, and whether there are more. */
export async function readDeletionsToPrint(range: TimeRange): Promise<{ deletions: Deletion[]; isAll: boolean }> {
  const bounds = boundsOf(range, gatewayNow())
  const deletions: Deletion[] = []
  let next: number | null | undefined
  while (next !== null && deletions.length < maxPrinted) {
    const before = next === undefined ? {} : { before: next }
    const page = await client.listDeletions({ query: { ...bounds, ...before, limit: printedAtOnce } })
    deletions.push(...page.deletions)
    next = page.next
  }
  return { deletions, isAll: next === null }
}

export interface ReportAsked {
  kind: 'fax' | 'number' | 'person'
  subject: string
  range: TimeRange
  format: 'pdf' | 'csv'
}

/** Downloads what the audit trail says about a fax, a number or a person. */
export async function saveReport({ kind, subject, range, format }: ReportAsked): Promise<void> {
  const body = { kind, subject, ...boundsOf(range, gatewayNow()) }
  const report = await (format === 'pdf' ? client.reportRecords({ body }) : client.reportRecordsCsv({ body }))
  saveFile(report, `audit-report_${kind}_${today()}.${format}`)
}

const today = () => new Date(gatewayNow()).toLocaleDateString('sv-SE')

export type RecordsAsked = InputOf<Routes['exportRecords']>['body']

/** Downloads everything about a number or person, named after them without giving a number away. What stops it before its end saves nothing. */
export async function saveRecords(body: RecordsAsked, whose: string, signal: AbortSignal): Promise<void> {
  saveFile(await client.exportRecords({ body }, { signal }), `faxdeck-records_${whose}_${today()}.zip`)
}

/** Downloads all of it as CSV. */
export async function saveDeletions(range: TimeRange): Promise<void> {
  saveFile(await client.exportDeletions({ query: boundsOf(range, gatewayNow()) }), 'deletions.csv')
}

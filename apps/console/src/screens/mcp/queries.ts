import type { Unreadable } from '@faxdeck/contract'
import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { watch } from '../../api/live/watch.ts'
import type { SettingsPatch } from '../../ui/form/setting-entry.ts'

/** The settings of MCP as a form shows them. */
export const rowsQuery = queryOptions({
  queryKey: ['settings', 'rows'],
  queryFn: ({ signal }) => client.describeSettings({}, { signal }),
  select: ({ rows }) => rows.filter(({ group }) => group === 'mcp'),
})

/** What a change of these settings makes stale. */
export const staleAfterSaving: QueryKey[] = [['settings'], ['config'], ['mcp health']]

export const saveSettings = (body: SettingsPatch) => client.updateSettings({ body })

/** What a transport answers at its health address, which needs no key: the status alone, 0 when nothing came. */
export const healthQuery = (path: string) =>
  queryOptions({
    queryKey: ['mcp health', path],
    queryFn: async ({ signal }) => {
      try {
        return (await fetch(`${path}/health`, { cache: 'no-store', signal })).status
      } catch (error) {
        if (signal.aborted) throw error
        return 0
      }
    },
    staleTime: 0,
  })

/** The faxes that assistants ask for and nobody has decided about yet. */
export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: ({ signal }) => client.listApprovals({ query: { limit: 200 } }, { signal }),
  meta: { live: ['approvals'] },
  refetchInterval: watch.jobs,
})

const remembered = 20

/** What became of the last that were asked for, the last decision first. */
export const decidedQuery = queryOptions({
  queryKey: ['approvals', 'decided'],
  queryFn: ({ signal }) => client.listApprovals({ query: { state: 'decided', limit: remembered } }, { signal }),
  select: (faxes) => faxes.toSorted((a, b) => (b.decided_at ?? '').localeCompare(a.decided_at ?? '')),
  meta: { live: ['approvals'] },
})

/** One page of a fax that waits, `width` pixels wide. */
export const loadApprovalPage = (id: string) => (page: number, width: number, signal: AbortSignal) =>
  client.getApprovalPage({ params: { id, page }, query: { width } }, { signal })

export const approve = ({ id, ...body }: { id: string; unreadable?: Unreadable }) =>
  client.approveFax({ params: { id }, body })
export const refuse = (id: string) => client.refuseFax({ params: { id } })

/** What a decision makes stale. */
export const staleAfterDeciding: QueryKey[] = [['approvals'], ['health-status'], ['jobs', 'newest'], ['activity']]

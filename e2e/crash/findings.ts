import { join } from 'node:path'
import type { Client, InboundFax, JobSummary } from '../../packages/contract/src/index.ts'
import { type Call, readCalls } from '../../packages/providers/src/testline/calls.ts'
import type { GatewayProcess } from '../harness/gateway-process.ts'

/** What can be seen from outside when everything has come to rest. */
export interface Findings {
  /** The test line's own record. */
  calls: Call[]
  jobs: JobSummary[]
  inbox: InboundFax[]
  /** Totals the gateway keeps, by status. */
  storedCounts: Record<string, number>
  chain: { intact: boolean; checked: number; broken_at: number | null }
}

const statuses = ['queued', 'in_progress', 'SUCCESS', 'FAILED', 'attention'] as const

export async function gather({ client, directory }: GatewayProcess): Promise<Findings> {
  const [calls, jobs, inbox, chain, ...totals] = await Promise.all([
    readCalls(join(directory, 'lines/testline')),
    everyJob(client),
    everyInbound(client),
    client.verifyAuditChain({}),
    ...statuses.map((status) => client.listJobs({ query: { status, limit: 1 } })),
  ])
  const storedCounts = Object.fromEntries(statuses.map((status, at) => [status, totals[at]?.total ?? Number.NaN]))
  return { calls, jobs, inbox, storedCounts, chain }
}

/** Every job, newest first. */
export async function everyJob(client: Client): Promise<JobSummary[]> {
  const jobs: JobSummary[] = []
  let cursor: string | undefined
  do {
    const page = await client.listJobs({ query: { limit: 200, cursor } })
    jobs.push(...page.jobs)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return jobs
}

/** The whole inbox, newest first. */
export async function everyInbound(client: Client): Promise<InboundFax[]> {
  const faxes: InboundFax[] = []
  for (;;) {
    const page = await client.listInbound({ query: { limit: 200, cursor: faxes.at(-1)?.cursor } })
    if (page.length === 0) return faxes
    faxes.push(...page)
  }
}

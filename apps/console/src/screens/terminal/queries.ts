import { client } from '../../api/client.ts'
import { readKey } from '../../api/key.ts'

const finalStatuses = ['SUCCESS', 'FAILED']

export const askVersion = (signal: AbortSignal) => client.getConfig({}, { signal })
export const askStatus = (signal: AbortSignal) => client.getHealthStatus({}, { signal })
export const askHealth = (signal: AbortSignal) => client.health({}, { signal })
export const listKeys = (signal: AbortSignal) => client.listApiKeys({}, { signal })
export const listReceived = (signal: AbortSignal) => client.listInbound({ query: { limit: 10 } }, { signal })
export const listEvents = (limit: number, signal: AbortSignal) => client.listLogs({ query: { limit } }, { signal })
export const listJobs = (signal: AbortSignal) => client.listJobs({ query: { limit: 10 } }, { signal })
export const readJob = (id: string, signal: AbortSignal) => client.getJob({ params: { id } }, { signal })
export const isFinal = (status: string) => finalStatuses.includes(status)

/** The jobs whose id begins so. */
export async function findJobs(start: string, signal: AbortSignal) {
  const { jobs } = await client.listJobs({ query: { q: start, limit: 10 } }, { signal })
  return jobs.filter(({ id }) => id.startsWith(start))
}

/** Not canceled by Ctrl-C: a fax handed over is handed over. */
export const sendFile = (to: string, file: File) => client.submitFax({ form: { to, file } })

/** The id of the key that the console is logged in with; undefined for the installation's own key. */
export function ownKeyId(): string | undefined {
  return /^fdk_live_([0-9a-f]{12})_/.exec(readKey() ?? '')?.[1]
}

import type { Client, InboundFax, Job } from '../../packages/contract/src/index.ts'
import { waitFor } from './wait.ts'

/** Waits until a job is over; the job as it ended. */
export function finishedJob(client: Client, id: string, seconds = 30): Promise<Job> {
  return waitFor(
    'the fax to be over',
    async () => {
      const job = await client.getJob({ params: { id } })
      return job.status === 'SUCCESS' || job.status === 'FAILED' ? job : undefined
    },
    seconds,
  )
}

/** Waits until the newest fax of the inbox has its document. */
export function newestInbound(client: Client): Promise<InboundFax> {
  return waitFor('a received fax', async () => {
    const [newest] = await client.listInbound({ query: {} })
    return newest?.status === 'received' ? newest : undefined
  })
}

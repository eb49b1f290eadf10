import { type StateCount, sumOf } from '../faxes/move/job-states.ts'
import type { Queue } from '../queue/queue.ts'
import type { Group } from './probe.ts'

const longestWaitMs = 15 * 60_000

/** Work that is due and not taken up. @param states how many faxes stand in each state */
export function queueGroup(queue: Pick<Queue, 'depth'>, states: () => Promise<StateCount[]>, now: () => Date): Group {
  return {
    name: 'queue',
    probes: [
      {
        name: 'oldest_age',
        severity: 'warning',
        hint: 'Work is more than 15 minutes overdue. Look at the jobs in progress, and allow more simultaneous faxes if the provider supports it.',
        setting: 'lane_concurrency',
        run: async () => {
          const { oldest_due_at: oldest } = await queue.depth()
          const waited = oldest === null ? 0 : now().getTime() - Date.parse(oldest)
          if (waited <= 0) return { passed: true, detail: 'nothing is overdue' }
          return {
            passed: waited <= longestWaitMs,
            detail: `the oldest has been due for ${Math.ceil(waited / 1000)} seconds`,
          }
        },
      },
      {
        name: 'depth',
        severity: 'info',
        hint: 'The queue could not be read.',
        run: async () => {
          const counts = await states()
          const detail = `${sumOf(counts, 'queued')} queued, ${sumOf(counts, 'in_progress')} in progress`
          return { passed: true, detail }
        },
      },
    ],
  }
}

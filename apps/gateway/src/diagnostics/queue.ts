import type { Queue } from '../queue/queue.ts'
import type { Group } from './probe.ts'

const longestWaitMs = 15 * 60_000

/** Work that is due and not taken up. */
export function queueGroup(queue: Pick<Queue, 'depth'>, now: () => Date): Group {
  return {
    name: 'queue',
    probes: [
      {
        name: 'oldest_age',
        severity: 'warning',
        hint: 'Work has been due for more than 15 minutes and nobody takes it up: look at the jobs under way, and let more faxes go at once if the provider allows it.',
        setting: 'lane_concurrency',
        run: async () => {
          const { oldest_due_at: oldest } = await queue.depth()
          const waited = oldest === null ? 0 : now().getTime() - Date.parse(oldest)
          if (waited <= 0) return { passed: true, detail: 'nothing is overdue' }
          return {
            passed: waited <= longestWaitMs,
            detail: `the oldest is due since ${Math.ceil(waited / 1000)} seconds`,
          }
        },
      },
      {
        name: 'depth',
        severity: 'info',
        hint: 'The queue cannot be counted.',
        run: async () => {
          const { waiting, under_way: underWay } = await queue.depth()
          return { passed: true, detail: `${waiting} waiting, ${underWay} under way` }
        },
      },
    ],
  }
}

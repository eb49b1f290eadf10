import { type StateCount, sumOf } from '../../fax/move/job-states.ts'
import type { Queue } from '../../base/queue/queue.ts'
import type { Group } from '../../base/checks.ts'

const longestWaitMs = 15 * 60_000

interface QueueParts {
  queue: Pick<Queue, 'depth'>
  /** How many faxes stand in each state. */
  states: () => Promise<StateCount[]>
  /** The names of providers that take no fax now: what waits for them is told of where they are. */
  paused: () => readonly string[]
  now: () => Date
}

/** Work that is due and not taken up. */
export function queueGroup({ queue, states, paused, now }: QueueParts): Group {
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
          const detail = `the oldest has been due for ${Math.ceil(waited / 1000)} seconds`
          const waitsFor = paused()
          if (waitsFor.length > 0) {
            return { passed: true, detail: `${detail}; sending is paused: ${waitsFor.join(', ')}` }
          }
          return { passed: waited <= longestWaitMs, detail }
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

import type { Broadcast, BroadcastCounts } from '@faxdeck/contract'
import { grouped } from '../../ui/words/figures.ts'

/** An outcome, as it is counted, colored and found among the jobs. */
export interface OutcomeKind {
  key: keyof BroadcastCounts
  label: string
  tone: 'ok' | 'bad' | 'warn' | 'info' | 'plain'
}

/** In the order in which they stand in the bar. */
export const outcomeKinds: readonly OutcomeKind[] = [
  { key: 'delivered', label: 'Delivered', tone: 'ok' },
  { key: 'unconfirmed', label: 'Unconfirmed', tone: 'warn' },
  { key: 'failed', label: 'Failed', tone: 'bad' },
  { key: 'cancelled', label: 'Canceled', tone: 'plain' },
  { key: 'in_progress', label: 'In progress', tone: 'info' },
  { key: 'queued', label: 'Queued', tone: 'plain' },
]

/** An outcome in words; the test line delivers nothing. */
export const outcomeLabel = ({ key, label }: OutcomeKind, { test }: Pick<Broadcast, 'test'>): string =>
  key === 'delivered' && test ? 'Test passed' : label

/** Faxes of which nothing more happens by itself. */
export const endedOf = ({ faxes, counts }: Broadcast): number => faxes - counts.queued - counts.in_progress

const states = { sending: 'Sending', paused: 'Paused', cancelling: 'Canceling' } as const

/** The state in a word. */
export function stateWord({ state, cancelled_at: cancelled }: Broadcast): string {
  if (state !== 'finished') return states[state]
  return cancelled === null ? 'Finished' : 'Canceled'
}

const faxes = (count: number) => `${grouped(count)} ${count === 1 ? 'fax' : 'faxes'}`

/** How it stands, and what a person may wait for or do. */
export function outcomeSentence(broadcast: Broadcast): string {
  const { counts, state, faxes: all, test } = broadcast
  const share = `${grouped(endedOf(broadcast))} of ${faxes(all)} done.`
  switch (state) {
    case 'sending':
      return share
    case 'paused':
      return `${share} Paused: nothing new is sent until you resume. Attempts in progress are allowed to finish.`
    case 'cancelling':
      return `${share} Canceling the rest. Attempts in progress are allowed to finish.`
    case 'finished': {
      const good = test ? 'tested but not sent' : 'delivered'
      if (counts.delivered === all) return all === 1 ? `The fax was ${good}.` : `All ${faxes(all)} were ${good}.`
      const delivered =
        counts.delivered === 0
          ? 'None were delivered'
          : `${grouped(counts.delivered)} of ${faxes(all)} ${counts.delivered === 1 ? 'was' : 'were'} ${good}`
      return counts.unconfirmed > 0
        ? `${delivered}. ${faxes(counts.unconfirmed)} may have arrived. Check with the recipients, then resolve each one.`
        : `${delivered}.`
    }
  }
}

/** What was left out of the list; undefined when nothing was. */
export function leftOutSentence({ duplicates, skipped }: Broadcast): string | undefined {
  const parts = [
    ...(duplicates > 0
      ? [`${grouped(duplicates)} ${duplicates === 1 ? 'duplicate was' : 'duplicates were'} removed`]
      : []),
    ...(skipped > 0 ? [`${grouped(skipped)} invalid ${skipped === 1 ? 'row was' : 'rows were'} skipped`] : []),
  ]
  return parts.length > 0 ? `${parts.join(', ')}.` : undefined
}

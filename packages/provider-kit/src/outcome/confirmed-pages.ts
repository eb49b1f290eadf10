import type { StatusUpdate } from '../provider.ts'

/**
 * Confirmed pages win over whatever a failure is called: what was printed in part must not be printed again by itself,
 * so the failure is `partial`, and says so first. Everything a provider reports about a fax passes through here.
 */
export function confirmedPagesFirst(update: StatusUpdate): StatusUpdate {
  const { again: _, ...once } = update
  const { state, kind, pagesConfirmed: pages = 0, sentence } = once
  if (state !== 'failed' || pages === 0 || kind === 'uncertain' || update.onRequest) return update
  if (kind === 'partial') return once
  const sent = pages === 1 ? '1 page' : `${pages} pages`
  const reason = sentence === undefined ? '' : ` ${sentence}`
  return { ...once, kind: 'partial', sentence: `The transmission was cut off after ${sent}.${reason}` }
}

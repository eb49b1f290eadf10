import type { StatusUpdate } from '../provider.ts'

function sentenceOf({ kind, pagesConfirmed: pages = 0 }: StatusUpdate): string {
  if (pages > 0)
    return `Canceled after page ${pages}. The page in progress at that moment may have been printed as well.`
  if (kind === 'uncertain') return 'Canceled. It’s unknown how far the call got.'
  const printed = kind === 'partial' ? ', and its first page may have been printed' : ' before a page went out'
  return `The call was given up${printed}.`
}

/** The end of a call that we hung up because a person did not want the fax any more. One that had arrived has arrived. */
export function asCanceled<U extends StatusUpdate>(end: U): U {
  if (end.state !== 'failed' || end.onRequest) return end
  const { again: _, ...once } = end
  return { ...(once as U), kind: 'cancelled', onRequest: true, sentence: sentenceOf(end) }
}

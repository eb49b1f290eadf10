import type { Activity } from '@faxdeck/contract'

export type Concern = Activity['attention'][number]

/** Concerns with one cause, the newest first. */
export interface ConcernGroup {
  kind: Concern['kind']
  first: Concern
  count: number
  /** True of faxes received, false of faxes sent. */
  isInbound: boolean
  /** What is said of all of them; undefined where it differs. */
  sentence: string | undefined
}

/** The gateway counts so many faxes of a cause at most: with as many there may be more. */
export const countLimit = 500

/** Failures are grouped by their sentence; what a person decides about one by one is one cause. */
function causeOf({ kind, inbound_id: inbound, sentence, job_id: job }: Concern): string {
  const side = inbound === null ? 'sent' : 'received'
  const isAlone = inbound === null && job === null
  return kind === 'failed' || isAlone ? `${kind} ${side} ${sentence}` : `${kind} ${side}`
}

/** The concerns by cause, in the order in which the first of each comes. */
export function groupConcerns(concerns: readonly Concern[]): ConcernGroup[] {
  const groups = new Map<string, ConcernGroup>()
  for (const concern of concerns) {
    const cause = causeOf(concern)
    const present = groups.get(cause)
    if (!present) {
      const { kind, inbound_id: inbound, sentence } = concern
      groups.set(cause, { kind, first: concern, count: concern.count, isInbound: inbound !== null, sentence })
      continue
    }
    present.count += concern.count
    if (concern.at > present.first.at) present.first = concern
    if (present.sentence !== concern.sentence) present.sentence = undefined
  }
  return [...groups.values()]
}

const searchLimit = 100

/** The words of a sentence that a search of the list finds it by; masked numbers are left out. */
export function searchFor(sentence: string): string {
  let found = ''
  for (const word of sentence.split(/\s+/)) {
    if (word.includes('*')) continue
    const longer = found === '' ? word : `${found} ${word}`
    if (longer.length > searchLimit) break
    found = longer
  }
  return found
}

type Way = readonly [place: string, options: { open?: string; find?: string }]

/** The list of sent faxes that holds a group; Jobs knows these by name. */
const lists: Partial<Record<Concern['kind'], string>> = {
  uncertain: 'attention',
  duplicate: 'attention',
  late: 'queued',
  failed: 'unresolved',
}

/** Where a group is looked after, and what is open there: the fax itself where it is one, else a list of them. */
export function wayTo({ kind, first, count, isInbound, sentence }: ConcernGroup): Way {
  if (kind === 'held') return ['jobs', { open: 'held' }]
  if (kind === 'webhook') return ['settings/keys', {}]
  if (isInbound) return ['inbound', count === 1 && first.inbound_id ? { open: first.inbound_id } : {}]
  if (!first.job_id) return ['tools/diagnostics', {}]
  if (count === 1) return ['jobs', { open: first.job_id }]
  const open = lists[kind] ?? 'attention'
  return ['jobs', kind === 'failed' && sentence ? { open, find: searchFor(sentence) } : { open }]
}

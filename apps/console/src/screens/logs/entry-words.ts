import type { LogEntry } from '@faxdeck/contract'
import { actorWords } from '../../ui/words/hold-words.ts'
import { shortTime } from '../../ui/time.tsx'
import { textOf } from './log-filter.ts'

/**
 * What an entry says in a sentence, where its facts alone are hard to read: somebody opened a fax outside of their
 * groups, or tried to.
 */
export function sentenceOf({ event, name, reason, direction, until, to }: LogEntry): string | undefined {
  const who = name === undefined ? 'A person' : textOf(name)
  if (event === 'fax_opened_with_reason') {
    const end = until === undefined ? '' : ` until ${shortTime(textOf(until))}`
    return `${who} opened a ${textOf(direction)} fax of another group${end}. Reason: ${textOf(reason)}`
  }
  if (event === 'fax_opening_missed')
    return `${who} gave a reason to open a fax, but no fax has this ID. Reason: ${textOf(reason)}`
  if (event === 'fax_search_with_reason')
    return `${who} searched all faxes by ${to === undefined ? 'words' : `a number ending in ${to.slice(-4)}`}. Reason: ${textOf(reason)}`
  return undefined
}

/** Who did it, by the name they had then; undefined for what happened by itself. */
export function whoOf({ key_id: id, key_name: name }: LogEntry): string | undefined {
  if (id === undefined) return undefined
  return actorWords(id, typeof name === 'string' ? name : null)
}

/** Where the fax of an entry is shown; undefined when there is none. */
export function placeOfFax({ event, direction, job_id: job }: LogEntry): 'jobs' | 'inbound' | undefined {
  if (job === undefined || !/^[0-9a-f]{32}$/.test(job) || event === 'fax_opening_missed') return undefined
  return event.startsWith('inbound') || direction === 'received' ? 'inbound' : 'jobs'
}

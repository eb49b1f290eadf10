import type { CallRecord } from '../call-record.ts'
import { plainText } from '../plain-words.ts'
import { endingOf } from '../outcome/ending-of.ts'
import type { IncomingFax } from '../provider.ts'

/** What an engine says about a fax it received. */
export interface ReceivedNote {
  tiffPath: string
  uniqueId: string
  from: string | null
  to: string | null
  /** In the engine's word, upper case; empty when it gave none. */
  status: string
  pages: number
  error: string
  /** What the sending machine calls itself; empty when it did not say. */
  station: string
  /** What the call did, as the engine's own line reads it; empty from an older dialplan. */
  call: string
}

/** Of characters; nothing longer is written. */
const longestCall = 8000

/** Reads a note in JSON, as a dialplan writes it; undefined when it is something else, or names no fax. */
export function parseNote(text: string): ReceivedNote | undefined {
  const reported = parsedObject(text)
  const raw = (name: string) => {
    const value = reported[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  const word = (name: string) => plainText(raw(name), longestCall)
  const uniqueId = word('uniqueid')
  if (uniqueId === '' || uniqueId.length > 200) return undefined
  const pages = word('faxpages')
  return {
    tiffPath: raw('tiff_path'),
    uniqueId,
    from: word('from_number') || null,
    to: word('to_number') || null,
    status: word('faxstatus').toUpperCase(),
    pages: /^\d{1,5}$/.test(pages) ? Number(pages) : 0,
    error: word('faxerror').slice(0, 120),
    station: word('remotestationid').slice(0, 60),
    call: word('call').slice(0, longestCall),
  }
}

function parsedObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** What is noted of a call that ended before the fax application had begun. */
const neverBegan = 'NONE'

const endings = { received: ['SUCCESS', 'RECEIVED'], failed: ['FAILED', 'FAILURE', 'ERROR', neverBegan], underWay: [] }

/** How the call ended, by what the engine says. */
export const noteEnding = ({ status }: ReceivedNote) => endingOf('The telephone switch', status, endings, false)

/**
 * A received fax in the words of the provider interface. One that broke off comes with the pages there are.
 * @param document where the pages lie; null when there are none
 */
export function incomingFax(
  note: ReceivedNote,
  document: { path: string } | null,
  { receivedAt, call }: { receivedAt?: Date; call?: CallRecord | undefined } = {},
): IncomingFax {
  const { uniqueId, from, to, pages, error } = note
  const fax = { providerId: uniqueId, from, to, ...(receivedAt ? { receivedAt } : {}), ...(call ? { call } : {}) }
  if (note.status === neverBegan && !document) {
    return { ...fax, pages: 0, state: 'failed', sentence: 'The call ended before a fax began.', document }
  }
  const ending = noteEnding(note)
  if (ending?.state === 'unclear') return { ...fax, ...ending, pages: pages || null, document }
  const reason = error === '' ? '' : `: ${error.replace(/\.$/, '')}`
  if (ending?.state === 'received') {
    const isGone = document === null
    const sentence = isGone ? { sentence: `The received pages are gone${reason}.` } : {}
    return { ...fax, pages: pages || null, state: 'received', ...sentence, document }
  }
  return {
    ...fax,
    pages,
    state: 'failed',
    sentence: `The call was cut off while the fax was received${reason}.`,
    document,
  }
}

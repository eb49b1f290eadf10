import type { IncomingFax } from '../provider.ts'

/** What an engine says about a fax it received. */
export interface ReceivedNote {
  tiffPath: string
  uniqueId: string
  from: string | null
  to: string | null
  succeeded: boolean
  pages: number
  error: string
}

/** Reads a note in JSON, as a dialplan writes it; undefined when it is something else, or names no fax. */
export function parseNote(text: string): ReceivedNote | undefined {
  const told = parsedObject(text)
  const word = (name: string) => {
    const value = told[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  const uniqueId = word('uniqueid')
  if (uniqueId === '' || uniqueId.length > 200) return undefined
  const pages = word('faxpages')
  return {
    tiffPath: word('tiff_path'),
    uniqueId,
    from: word('from_number') || null,
    to: word('to_number') || null,
    succeeded: word('faxstatus').toUpperCase() === 'SUCCESS',
    pages: /^\d{1,5}$/.test(pages) ? Number(pages) : 0,
    error: word('faxerror').slice(0, 120),
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

/**
 * A received fax in the words of the provider interface. One that broke off comes with the pages there are.
 * @param document where the pages lie; null when there are none
 */
export function incomingFax(note: ReceivedNote, document: { path: string } | null, receivedAt?: Date): IncomingFax {
  const { uniqueId, from, to, pages, succeeded, error } = note
  const fax = { providerId: uniqueId, from, to, ...(receivedAt ? { receivedAt } : {}) }
  if (succeeded && document) return { ...fax, pages: pages || null, state: 'received', document }
  const reason = error === '' ? '' : `: ${error.replace(/\.$/, '')}`
  const sentence = succeeded
    ? 'The received pages are gone.'
    : `The call broke off while the fax was received${reason}.`
  return { ...fax, pages, state: 'failed', sentence, document }
}

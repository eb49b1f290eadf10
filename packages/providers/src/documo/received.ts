import { asSentence, endingOf, type IncomingFax } from '@faxdeck/provider-kit'
import { name } from './account.ts'
import type { FaxObject } from './fax.ts'

/** A number in E.164, which Documo writes without the plus. */
const numberOf = (text: string) => (/^\d{10,15}$/.test(text) ? `+${text}` : text) || null

const endings = {
  received: ['success'],
  failed: ['failed', 'cancelled', 'canceled'],
  underWay: ['processing', 'scheduled', 'transmitting'],
}

/**
 * What came in, once it is complete or has failed; nothing before.
 * @param bytes the document, when it came along
 */
export function incomingOf(fax: FaxObject, bytes?: Uint8Array): IncomingFax[] {
  const { messageId: providerId, status, pagesCount, pagesComplete, createdAt, words } = fax
  const ending = endingOf(name, status, endings, bytes !== undefined)
  if (!ending) return []
  const facts = {
    providerId,
    from: numberOf(fax.faxCallerId),
    to: numberOf(fax.faxNumber),
    pages: pagesComplete || pagesCount || null,
    ...(createdAt ? { receivedAt: createdAt } : {}),
  }
  const pushed = bytes && { bytes }
  if (ending.state !== 'failed') return [{ ...facts, ...ending, document: pushed ?? { fetch: providerId } }]
  const said = words === '' ? '' : ` ${name} says: ${asSentence(words)}`
  const left = pagesComplete ? { fetch: providerId } : null
  return [
    {
      ...facts,
      state: 'failed',
      sentence: `The call ended before the fax was complete.${said}`,
      document: pushed ?? left,
    },
  ]
}

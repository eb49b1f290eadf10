import { asSentence, endingOf, type IncomingFax } from '@faxdeck/provider-kit'
import { name } from './account.ts'
import type { ListedObject } from './fax.ts'

type ReceivedFacts = Pick<ListedObject, 'sid' | 'status' | 'from' | 'to' | 'pages' | 'errorMessage' | 'mediaUrl'>

const endings = {
  received: ['received'],
  failed: ['failed', 'busy', 'no-answer', 'canceled'],
  underWay: ['queued', 'processing', 'receiving'],
}

/** What came in, once it is complete or has failed; nothing before. */
export function incomingOf(fax: ReceivedFacts & { createdAt?: Date }): IncomingFax[] {
  const { sid, status, from, to, pages = null, errorMessage, mediaUrl, createdAt } = fax
  const ending = endingOf(name, status, endings, false)
  if (!ending) return []
  const facts = { providerId: sid, from: from || null, to: to || null, pages }
  const at = createdAt ? { receivedAt: createdAt } : {}
  if (ending.state !== 'failed') return [{ ...facts, ...at, ...ending, document: { fetch: mediaUrl || sid } }]
  const said = errorMessage === '' ? '' : ` ${name} says: ${asSentence(errorMessage)}`
  const document = mediaUrl === '' ? null : { fetch: mediaUrl }
  return [
    { ...facts, ...at, state: 'failed', sentence: `The call ended before the fax was complete.${said}`, document },
  ]
}

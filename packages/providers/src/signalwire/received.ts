import { asSentence, type IncomingFax } from '@faxdeck/provider-kit'
import { name } from './account.ts'
import type { ListedObject } from './fax-object.ts'

type ReceivedFacts = Pick<ListedObject, 'sid' | 'status' | 'from' | 'to' | 'pages' | 'errorMessage' | 'mediaUrl'>

/** What came in, once it is complete or has failed; nothing before. */
export function incomingOf(fax: ReceivedFacts & { createdAt?: Date }): IncomingFax[] {
  const { sid, status, from, to, pages = null, errorMessage, mediaUrl, createdAt } = fax
  if (status !== 'received' && status !== 'failed') return []
  const facts = { providerId: sid, from: from || null, to: to || null, pages }
  const at = createdAt && !Number.isNaN(createdAt.getTime()) ? { receivedAt: createdAt } : {}
  if (status === 'received') return [{ ...facts, ...at, state: 'received', document: { fetch: mediaUrl || sid } }]
  const said = errorMessage === '' ? '' : ` ${name} says: ${asSentence(errorMessage)}`
  const document = mediaUrl === '' ? null : { fetch: mediaUrl }
  return [{ ...facts, ...at, state: 'failed', sentence: `The fax broke off before it was complete.${said}`, document }]
}

import { endingOf, failureOf, type IncomingFax } from '@faxdeck/provider-kit'
import { errorOf, type PhaxioFax } from './fax.ts'

const endings = { received: ['success'], failed: ['failure'], underWay: ['queued', 'pendingbatch', 'inprogress'] }

/** A received fax, or undefined while it is still coming in. */
export function incomingOf(fax: PhaxioFax, pushed?: Uint8Array): IncomingFax | undefined {
  const { fields, status, id } = fax
  const ending = endingOf('Phaxio', status, endings, pushed !== undefined)
  if (!ending) return undefined
  const receivedAt = fields.date('completed_at')
  const failed = ending.state === 'failed'
  const document = pushed ? { bytes: pushed } : failed ? null : { fetch: id }
  return {
    providerId: id,
    from: fields.text('from_number') || null,
    to: fields.text('to_number') || null,
    pages: fields.count('num_pages') ?? null,
    ...ending,
    isTest: fields.isTrue('is_test'),
    document,
    ...(receivedAt ? { receivedAt } : {}),
    ...(failed ? { sentence: failureOf('Phaxio', errorOf(fax)).sentence } : {}),
  }
}

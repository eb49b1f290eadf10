import { endingOf, failureOf, type IncomingFax } from '@faxdeck/provider-kit'
import { errorOf, type SinchFax } from './fax.ts'

const endings = { received: ['COMPLETED'], failed: ['FAILURE'], underWay: ['QUEUED', 'IN_PROGRESS'] }

/** A received fax, or undefined while it is still coming in. */
export function incomingOf(fax: SinchFax, pushed?: Uint8Array): IncomingFax | undefined {
  const { fields, status, id } = fax
  const ending = endingOf('Sinch', status, endings, pushed !== undefined)
  if (!ending) return undefined
  const failed = ending.state === 'failed'
  const hasFile = !failed || fields.isTrue('hasFile') || fields.text('hasFile') === 'true'
  const receivedAt = fields.date('completedTime')
  return {
    providerId: id,
    from: fields.text('from') || null,
    to: fields.text('to') || null,
    pages: fields.count('numberOfPages') ?? null,
    ...ending,
    document: pushed ? { bytes: pushed } : hasFile ? { fetch: id } : null,
    ...(receivedAt ? { receivedAt } : {}),
    ...(failed ? { sentence: failureOf('Sinch', errorOf(fax)).sentence } : {}),
  }
}

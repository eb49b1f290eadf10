import { createHash, createHmac } from 'node:crypto'
import type { EmulatedFax } from '@faxdeck/provider-kit/emulator'

const failures: Partial<Record<string, { id: number; type: string; message: string }>> = {
  busy: { id: 17, type: 'lineError', message: 'Far end was busy' },
  no_answer: { id: 30, type: 'lineError', message: 'No answer from the far end' },
  partial: { id: 25, type: 'faxError', message: 'The call dropped prematurely' },
  bad_document: { id: 54, type: 'documentConversionError', message: 'The content URL could not be reached' },
  cancelled: { id: 75, type: 'generalError', message: 'Cancelled by user' },
}

function statusOf({ state, ending }: EmulatedFax): string {
  if (state === 'in_progress') return 'inprogress'
  if (state === 'unknown_word') return 'lookingaround'
  if (state === 'queued') return 'queued'
  return ending !== null && failures[ending] ? 'failure' : 'success'
}

/** A fax as `GET faxes/{id}` shows it. */
export function describeFax(fax: EmulatedFax, isTest: boolean): Record<string, unknown> {
  const failure = failures[fax.ending ?? '']
  const error = {
    error_id: failure?.id ?? null,
    error_type: failure?.type ?? null,
    error_message: failure?.message ?? null,
  }
  const completed = fax.endedAt?.toISOString() ?? null
  const sent = fax.direction === 'sent'
  return {
    id: Number(fax.id),
    direction: fax.direction,
    num_pages: fax.pages,
    status: statusOf(fax),
    is_test: isTest,
    created_at: fax.takenAt.toISOString(),
    completed_at: completed,
    caller_id: sent ? fax.from : null,
    from_number: sent ? null : fax.from,
    to_number: sent ? null : fax.to,
    caller_name: null,
    cost: 7 * fax.pages,
    tags: fax.labels,
    ...error,
    barcodes: [],
    ...(sent
      ? {
          recipients: [
            {
              phone_number: fax.to,
              status: statusOf(fax),
              retry_count: 0,
              completed_at: completed,
              bitrate: 14400,
              resolution: 8040,
              ...error,
            },
          ],
        }
      : {}),
  }
}

/** Signs as the Phaxio manual says ("Verifying callback requests"): written apart from our verifier, to keep it honest. */
function signCallback(token: string, url: string, fields: Record<string, string>, file?: Uint8Array): string {
  const hmac = createHmac('sha1', token).update(url)
  for (const name of Object.keys(fields).sort()) hmac.update(name).update(fields[name] ?? '')
  if (file) hmac.update('file').update(createHash('sha1').update(file).digest('hex'))
  return hmac.digest('hex')
}

/** A callback about a fax, signed for the address it goes to. */
export function callbackOf(
  fax: EmulatedFax,
  url: string,
  token: string,
  isTest: boolean,
): { headers: Record<string, string>; body: FormData } {
  const fields: Record<string, string> = {
    fax: JSON.stringify(describeFax(fax, isTest)),
    event_type: fax.state === 'ended' ? 'fax_completed' : 'transmitting_page',
    direction: fax.direction,
    is_test: String(isTest),
    success: String(fax.ending === null || failures[fax.ending] === undefined),
  }
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  const file = fax.direction === 'received' && fax.pdf.length > 0 ? new Uint8Array(fax.pdf) : undefined
  if (file) body.append('file', new Blob([file], { type: 'application/pdf' }), `fax-${fax.id}.pdf`)
  return { headers: { 'x-phaxio-signature': signCallback(token, url, fields, file) }, body }
}

import type { EmulatedFax } from '@faxdeck/provider-kit/emulator'

const failures: Partial<Record<string, { errorType: string; errorCode: number; errorMessage: string }>> = {
  busy: { errorType: 'CALL_ERROR', errorCode: 17, errorMessage: 'Far end was busy' },
  no_answer: { errorType: 'CALL_ERROR', errorCode: 30, errorMessage: 'No answer' },
  partial: { errorType: 'FAX_ERROR', errorCode: 25, errorMessage: 'The call dropped prematurely' },
  bad_document: {
    errorType: 'DOCUMENT_CONVERSION_ERROR',
    errorCode: 54,
    errorMessage: 'The content URL could not be reached',
  },
}

function statusOf({ state, ending }: EmulatedFax): string {
  if (state === 'queued') return 'QUEUED'
  if (state === 'in_progress') return 'IN_PROGRESS'
  if (state === 'unknown_word') return 'NEGOTIATING'
  return failures[ending ?? ''] ? 'FAILURE' : 'COMPLETED'
}

/** Passwords in an address come back masked. */
function masked(address: string): string {
  const url = new URL(address)
  if (url.password === '') return address
  url.username = '***'
  url.password = '***'
  return url.href
}

/** A fax as `GET faxes/{id}` shows it. */
export function describeFax(fax: EmulatedFax, projectId: string): Record<string, unknown> {
  return {
    id: fax.id,
    direction: fax.direction === 'sent' ? 'OUTBOUND' : 'INBOUND',
    from: fax.from,
    to: fax.to,
    status: statusOf(fax),
    numberOfPages: fax.pages,
    createTime: fax.takenAt.toISOString(),
    ...(fax.endedAt ? { completedTime: fax.endedAt.toISOString(), pagesSentSuccessfully: fax.pagesConfirmed } : {}),
    ...failures[fax.ending ?? ''],
    ...(fax.callbackUrl
      ? { callbackUrl: masked(fax.callbackUrl), callbackUrlContentType: fax.labels.contentType }
      : {}),
    ...(fax.labels.attempt ? { labels: { attempt: fax.labels.attempt } } : {}),
    headerText: '-',
    headerPageNumbers: true,
    headerTimeZone: 'America/New_York',
    imageConversionMethod: 'HALFTONE',
    resolution: 'FINE',
    retryDelaySeconds: 60,
    retryCount: 0,
    projectId,
    serviceId: '01EMULATEDSERVICE000000001',
    hasFile: fax.direction === 'received',
  }
}

/** A notification about a fax, in the content type that was asked for. */
export function notificationOf(
  fax: EmulatedFax,
  contentType: string,
  projectId: string,
): { headers?: Record<string, string>; body: FormData | string } {
  const reported = {
    event: fax.direction === 'sent' ? 'FAX_COMPLETED' : 'INCOMING_FAX',
    eventTime: new Date().toISOString(),
    fax: describeFax(fax, projectId),
  }
  const file = fax.direction === 'received' && fax.pdf.length > 0 ? new Uint8Array(fax.pdf) : undefined
  if (contentType === 'application/json') {
    const document = file ? { file: Buffer.from(file).toString('base64'), fileType: 'PDF' } : {}
    return { headers: { 'content-type': contentType }, body: JSON.stringify({ ...reported, ...document }) }
  }
  const body = new FormData()
  body.append('event', reported.event)
  body.append('eventTime', reported.eventTime)
  body.append('fax', JSON.stringify(reported.fax))
  if (file) body.append('file', new Blob([file], { type: 'application/pdf' }), `${fax.id}.pdf`)
  return { body }
}

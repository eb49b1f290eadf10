import type { EmulatedFax, EmulatedReply } from '@faxdeck/provider-kit/emulator'

const endings: Readonly<Record<NonNullable<EmulatedFax['ending']>, string>> = {
  delivered: 'delivered',
  unknown_word: 'delivered',
  received: 'received',
  busy: 'busy',
  no_answer: 'no-answer',
  partial: 'failed',
  bad_document: 'failed',
  cancelled: 'canceled',
}

const messages: Partial<Record<NonNullable<EmulatedFax['ending']>, string>> = {
  partial: 'No response after sending a page',
  bad_document: 'Document loading error',
}

/** SignalWire's word for how a fax stands. */
export function statusWord({ state, ending }: EmulatedFax): string {
  if (state === 'ended') return endings[ending ?? 'delivered']
  return { queued: 'queued', in_progress: 'sending', unknown_word: 'handshaking' }[state]
}

/** A fax as the API answers it: counts are texts, addresses of the API are relative, those of documents are not. */
export function faxObject(fax: EmulatedFax, account: string, origin: string) {
  const url = `/api/laml/2010-04-01/Accounts/${account}/Faxes/${fax.id}`
  const isReceived = fax.direction === 'received'
  return {
    account_sid: account,
    api_version: 'v1',
    date_created: fax.takenAt.toISOString(),
    date_updated: (fax.endedAt ?? fax.takenAt).toISOString(),
    direction: isReceived ? 'inbound' : 'outbound',
    from: fax.from,
    to: fax.to,
    media_url: isReceived ? `${origin}/files/${fax.id}.pdf` : null,
    media_sid: null,
    num_pages: fax.state === 'ended' ? String(fax.pagesConfirmed) : null,
    price: null,
    price_unit: 'USD',
    quality: 'fine',
    sid: fax.id,
    status: statusWord(fax),
    duration: 0,
    links: { media: `${url}/Media` },
    url,
    error_code: null,
    error_message: messages[fax.ending ?? 'received'] ?? null,
  }
}

/** A refusal in the shape of the API. */
export function refusal(
  status: number,
  code: number,
  message: string,
  headers?: Record<string, string>,
): EmulatedReply {
  const body = { code, message, more_info: `https://developer.signalwire.com/errors/${code}`, status }
  return { status, body, ...(headers ? { headers } : {}) }
}

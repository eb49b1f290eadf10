import {
  incomingFax,
  noteEnding,
  parseNote,
  ProviderProblem,
  type ProviderSettings,
  verifySecret,
  type Webhook,
  type WebhookHead,
} from '@faxdeck/provider-kit'
import { recordOfNote } from './call-facts.ts'

function verify(head: WebhookHead, { asterisk_inbound_secret: secret }: ProviderSettings): boolean {
  return verifySecret(head, 'X-Internal-Secret', typeof secret === 'string' ? secret : null)
}

/** The dialplan posts each received fax here. What it cannot post lies in the inbox until the next sweep. */
export const sipWebhooks: readonly Webhook[] = [
  {
    path: '/_internal/asterisk/inbound',
    name: 'received faxes',
    purpose: 'inbound',
    internal: true,
    contentTypes: ['application/json'],
    proveHead: (head, settings) => (verify(head, settings) ? 'proved' : 'none'),
    verify,
    translate: ({ body }) => {
      const text = Buffer.from(body).toString('utf8')
      const note = parseNote(text)
      if (!note) throw new ProviderProblem('rejected', 'The notice of a received fax lacks its uniqueid.')
      const hasPages = note.tiffPath !== '' && (noteEnding(note)?.state !== 'failed' || note.pages > 0)
      const fax = incomingFax(note, hasPages ? { path: note.tiffPath } : null, { call: recordOfNote(note) })
      return { incoming: [{ ...fax, notification: text }] }
    },
  },
]

import { incomingFax, parseNote, ProviderProblem, verifySecret, type Webhook } from '@faxdeck/provider-kit'

/** The dialplan posts each received fax here. What it cannot post lies in the inbox until the next sweep. */
export const sipWebhooks: readonly Webhook[] = [
  {
    path: '/_internal/asterisk/inbound',
    name: 'received faxes',
    purpose: 'inbound',
    internal: true,
    contentTypes: ['application/json'],
    verify: (request, settings) => {
      const secret = settings.asterisk_inbound_secret
      return verifySecret(request, 'X-Internal-Secret', typeof secret === 'string' ? secret : null)
    },
    translate: ({ body }) => {
      const text = Buffer.from(body).toString('utf8')
      const note = parseNote(text)
      if (!note) throw new ProviderProblem('rejected', 'The notice of a received fax lacks its uniqueid.')
      const hasPages = note.tiffPath !== '' && (note.succeeded || note.pages > 0)
      const fax = incomingFax(note, hasPages ? { path: note.tiffPath } : null)
      return { incoming: [{ ...fax, notification: text }] }
    },
  },
]

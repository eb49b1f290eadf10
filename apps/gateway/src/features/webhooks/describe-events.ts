import { eventSummaries, examplePayload, messageEvents, payloadVersion } from '@faxdeck/contract'
import { messageSchema } from '@faxdeck/contract/openapi'
import type { Handlers } from '../../base/http/handler.ts'

/** What webhooks can be sent, for programs that check or generate by it. */
export const describeEvents = {
  listWebhookEvents: () =>
    messageEvents.map((event) => ({
      event,
      summary: eventSummaries[event],
      version: payloadVersion,
      schema: messageSchema(event),
      example: examplePayload(event),
    })),
} satisfies Partial<Handlers>

import type { MessageEvent } from '../webhook-events.ts'
import { eventSummaries, examplePayload, webhookPayloads } from '../webhook-payloads.ts'
import { type JsonObject, plainSchema } from './schemas.ts'

/** What the schema of an event's message is called: `FaxDeliveredMessage`. */
const nameOf = (event: string) =>
  `${event.replace(/(^|\.)(\w)/g, (_, _dot: string, letter: string) => letter.toUpperCase())}Message`

const events = Object.keys(webhookPayloads) as MessageEvent[]

/** JSON Schema of the messages about an event. */
export const messageSchema = (event: MessageEvent): JsonObject => plainSchema(webhookPayloads[event], 'output')

/** The schemas of all messages, by name. */
export const messageSchemas = (): JsonObject =>
  Object.fromEntries(events.map((event) => [nameOf(event), messageSchema(event)]))

const header = (name: string, description: string, example: string) => ({
  ...{ name, in: 'header', required: true, description, example },
  schema: { type: 'string' },
})

/** Source: Standard Webhooks 1.0.0. */
const headers = [
  header(
    'webhook-id',
    'The id of the delivery, the same for every attempt: ignore an id that you have already processed.',
    'msg_0123456789abcdef0123456789abcdef',
  ),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1795371163'),
  header(
    'webhook-signature',
    'HMAC-SHA256 of id, timestamp and body, one signature for each valid secret.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
]

const answers = {
  '2XX': { description: 'Accepted. Answer within 15 seconds, before you do the work.' },
  '410': { description: 'No more deliveries are wanted: the webhook is switched off.' },
  '4XX': { description: 'Anything else is a failure: the delivery is retried later.' },
}

/** The messages that are sent to webhooks. */
export function webhookSection(): JsonObject {
  return Object.fromEntries(
    events.map((event) => {
      const schema = { $ref: `#/components/schemas/${nameOf(event)}` }
      const post = {
        operationId: `receive${nameOf(event)}`,
        summary: eventSummaries[event],
        description: `Posted to the webhooks that chose \`${event}\`${event === 'webhook.test' ? ', and to any other when it is tested' : ''}.`,
        tags: ['webhooks'],
        security: [],
        parameters: headers,
        requestBody: { required: true, content: { 'application/json': { schema, example: examplePayload(event) } } },
        responses: answers,
      }
      return [event, { post }]
    }),
  )
}

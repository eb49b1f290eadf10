import { callRecord } from '../../../packages/contract/src/call-record.ts'
import { faxEventTypes } from '../../../packages/contract/src/live.ts'
import {
  broadcast,
  broadcastCounts,
  broadcastDetail,
  broadcastRecipient,
} from '../../../packages/contract/src/routes/faxes/broadcasts.ts'
import { failureKind, fax, heldFax, quote } from '../../../packages/contract/src/routes/faxes/faxes.ts'
import { inboundFax } from '../../../packages/contract/src/routes/faxes/inbound.ts'
import { receivedFax } from '../../../packages/contract/src/routes/faxes/received.ts'
import { splitPart } from '../../../packages/contract/src/routes/faxes/separators.ts'
import {
  attempt,
  delivery,
  detailedDelivery,
  replayed,
  webhook,
  withSecret,
} from '../../../packages/contract/src/routes/webhooks.ts'
import { pageCode, pageNote, place } from '../../../packages/contract/src/shapes.ts'
import { messageEvents, webhookEvents } from '../../../packages/contract/src/webhook-events.ts'
import { eventSummaries, webhookPayloads } from '../../../packages/contract/src/webhook-payloads.ts'
import { readComments } from './comments.mjs'

/**
 * The shapes that the client libraries have types for. `nested` ones stand inside others. `extends` is what a shape has in
 * common with one above it.
 */
const shapes = [
  { name: 'Place', schema: place, file: 'shapes.ts', of: 'place', nested: true },
  { name: 'PageNote', schema: pageNote, file: 'shapes.ts', of: 'pageNote', nested: true },
  { name: 'PageCode', schema: pageCode, file: 'shapes.ts', of: 'pageCode', nested: true },
  { name: 'HeldFax', schema: heldFax, file: 'routes/faxes/faxes.ts', of: 'heldFax', nested: true },
  { name: 'CallRecord', schema: callRecord, file: 'call-record.ts', of: 'callRecord', nested: true },
  {
    name: 'BroadcastCounts',
    schema: broadcastCounts,
    file: 'routes/faxes/broadcasts.ts',
    of: 'broadcastCounts',
    nested: true,
  },
  {
    name: 'SkippedRow',
    schema: broadcastDetail.shape.skipped_rows.element,
    file: 'routes/faxes/broadcasts.ts',
    of: 'refusedRow',
    nested: true,
  },
  { name: 'Fax', schema: fax, file: 'routes/faxes/faxes.ts', of: 'fax' },
  { name: 'InboundFax', schema: inboundFax, file: 'routes/faxes/inbound.ts', of: 'inboundFax' },
  { name: 'ReceivedFax', schema: receivedFax, file: 'routes/faxes/received.ts', of: 'receivedFax' },
  { name: 'Quote', schema: quote, file: 'routes/faxes/faxes.ts', of: 'quote' },
  { name: 'SplitPart', schema: splitPart, file: 'routes/faxes/separators.ts', of: 'splitPart', extends: 'Quote' },
  { name: 'Broadcast', schema: broadcast, file: 'routes/faxes/broadcasts.ts', of: 'broadcast' },
  {
    name: 'BroadcastDetail',
    schema: broadcastDetail,
    file: 'routes/faxes/broadcasts.ts',
    of: 'broadcastDetail',
    extends: 'Broadcast',
  },
  {
    name: 'BroadcastRecipient',
    schema: broadcastRecipient,
    file: 'routes/faxes/broadcasts.ts',
    of: 'broadcastRecipient',
  },
  { name: 'WebhookAttempt', schema: attempt, file: 'routes/webhooks.ts', of: 'attempt', nested: true },
  { name: 'Webhook', schema: webhook, file: 'routes/webhooks.ts', of: 'webhook' },
  { name: 'WebhookWithSecret', schema: withSecret, file: 'routes/webhooks.ts', of: 'withSecret', extends: 'Webhook' },
  { name: 'WebhookDelivery', schema: delivery, file: 'routes/webhooks.ts', of: 'delivery' },
  {
    name: 'WebhookDeliveryDetail',
    schema: detailedDelivery,
    file: 'routes/webhooks.ts',
    of: 'detailedDelivery',
    extends: 'WebhookDelivery',
  },
  { name: 'WebhookReplay', schema: replayed, file: 'routes/webhooks.ts', of: 'replayed' },
]

const pascal = (name) => name.replace(/(?:^|[_.])([a-z])/g, (_, letter) => letter.toUpperCase())

/** What webhooks are sent, one shape for each event. */
const messages = Object.entries(webhookPayloads).map(([event, schema]) => ({
  ...{ name: `${pascal(event)}Message`, schema, nested: true },
  doc: eventSummaries[event],
}))

/** Several models that stand for each other, distinguished by a field. */
export const unions = {
  WebhookMessage: {
    doc: 'A message of a webhook; `type` says which. A newer gateway may send other types: ignore those that you do not know.',
    of: messages.map(({ name }) => name),
  },
}

/** Texts that have a name of their own where they stand. */
export const words = {
  FaxStatus: { doc: '`SUCCESS` only when the provider confirmed the fax.', values: fax.shape.status.options },
  FailureKind: { doc: 'Why a fax, or one attempt at it, did not arrive.', values: failureKind.options },
  FaxEventType: {
    doc: '`fax.updated` is every other change, such as another attempt that is planned.',
    values: faxEventTypes,
  },
  WebhookEvent: { doc: 'What a webhook can report.', values: webhookEvents },
  DeliveryEvent: {
    doc: 'What a delivery can report: an event, or that somebody tests the webhook.',
    values: messageEvents,
  },
}

const plain = (schema) => {
  const json = schema.toJSONSchema({ io: 'output' })
  delete json.$schema
  return json
}

/**
 * The models of the client libraries, each after those that it uses: the contract's schemas with a name for every object
 * in them, and the comments of the contract's sources.
 * @returns {{ name: string, base?: string, nested: boolean, doc: string, isMessage: boolean,
 *   fields: { name: string, type: object, optional: boolean, doc: string }[] }[]}
 */
export function clientModels() {
  let isMessage = false
  const known = new Map(shapes.map(({ name, schema }) => [JSON.stringify(plain(schema)), name]))
  const byName = new Map()
  const models = []
  const add = (name, json, { nested, doc, comments, base }) => {
    const inherited = new Set(base ? byName.get(base).map((field) => field.name) : [])
    const fields = Object.entries(json.properties).map(([field, value]) => ({
      name: field,
      type: named(value, name + pascal(field)),
      optional: !json.required?.includes(field),
      doc: comments.get(field) ?? '',
    }))
    byName.set(name, fields)
    models.push({ name, base, nested, doc, isMessage, fields: fields.filter((field) => !inherited.has(field.name)) })
  }
  /** The schema with a reference for each object; one that has no name gets that of its place. */
  const named = (json, place) => {
    const name = known.get(JSON.stringify(json))
    if (name) return { model: name }
    if (Array.isArray(json.type)) return { anyOf: json.type.map((type) => ({ ...json, type })) }
    if (json.anyOf) return { ...json, anyOf: json.anyOf.map((each) => named(each, place)) }
    if (json.items) return { ...json, items: named(json.items, place.replace(/s$/, '')) }
    if (!json.properties) return json
    known.set(JSON.stringify(json), place)
    add(place, json, { nested: true, doc: '', comments: new Map() })
    return { model: place }
  }
  for (const { name, schema, file, of, nested = false, extends: base } of shapes) {
    const { doc, fields: comments } = readComments(file, of)
    add(name, plain(schema), { nested, doc, comments, base })
  }
  isMessage = true
  for (const { name, schema, nested, doc } of messages) add(name, plain(schema), { nested, doc, comments: new Map() })
  return models
}

import { z } from 'zod'
import { faxEvent, inboundEvent, liveMessage } from '../live.ts'
import { apiKey } from '../routes/people/api-keys.ts'
import { broadcast, broadcastDetail } from '../routes/faxes/broadcasts.ts'
import { fax, quote } from '../routes/faxes/faxes.ts'
import { receivedFax } from '../routes/faxes/received.ts'
import { inboundDetail, inboundFax } from '../routes/faxes/inbound.ts'
import { job, jobDetail, jobSummary } from '../routes/faxes/jobs.ts'
import { logEntry } from '../routes/logs.ts'
import { diagnostics } from '../routes/operations.ts'
import { config, healthStatus } from '../routes/overview.ts'
import { plugin } from '../routes/plugins.ts'
import { faxRequest, pendingFax } from '../routes/faxes/requests.ts'
import { describedSetting } from '../routes/settings.ts'
import { finding, problemReply } from '../shapes.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }
export type JsonObject = { [key: string]: Json | undefined }

/** Shapes that have a name of their own in the document. */
export const named = {
  Problem: problemReply,
  Fax: fax,
  Quote: quote,
  Broadcast: broadcast,
  BroadcastDetail: broadcastDetail,
  FaxRequest: faxRequest,
  PendingFax: pendingFax,
  Job: job,
  JobDetail: jobDetail,
  JobSummary: jobSummary,
  InboundFax: inboundFax,
  InboundFaxDetail: inboundDetail,
  ReceivedFax: receivedFax,
  ApiKey: apiKey,
  LogEntry: logEntry,
  Finding: finding,
  Diagnostics: diagnostics,
  Config: config,
  HealthStatus: healthStatus,
  Plugin: plugin,
  Setting: describedSetting,
  LiveMessage: liveMessage,
  FaxEvent: faxEvent,
  InboundEvent: inboundEvent,
} satisfies Record<string, z.ZodType>

/** Fields may be added to what is answered, so nothing that is answered is closed to them. */
function withoutClosing(json: Json | undefined): Json | undefined {
  if (Array.isArray(json)) return json.map((each) => withoutClosing(each) ?? null)
  if (typeof json !== 'object' || json === null) return json
  const open = Object.entries(json).filter(([key, value]) => !(key === 'additionalProperties' && value === false))
  return Object.fromEntries(open.map(([key, value]) => [key, withoutClosing(value)]))
}

/** JSON Schema of what a caller gives (`input`) or is answered (`output`). */
export function plainSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return (io === 'output' ? withoutClosing(rest as JsonObject) : rest) as JsonObject
}

/** Puts a reference wherever one of the named shapes stands. */
export function withReferences(
  json: Json | undefined,
  known: ReadonlyMap<string, string>,
  self?: string,
): Json | undefined {
  if (typeof json !== 'object' || json === null) return json
  const name = known.get(JSON.stringify(json))
  if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` }
  if (Array.isArray(json)) return json.map((each) => withReferences(each, known) ?? null)
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withReferences(value, known)]))
}

/** The named shapes by their JSON Schema. */
export const knownOutputs = () =>
  new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(plainSchema(schema, 'output')), name]))

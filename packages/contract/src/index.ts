import type { WireCall, WireCalls } from './client.ts'
import type { RouteRow } from './route.ts'
import { routes } from './routes.ts'

function wireCall(row: RouteRow): WireCall {
  const reply = typeof row.reply === 'object' ? 'json' : row.reply === 'none' ? 'none' : 'file'
  const { method, path, failure, shortError = 'API Error' } = row
  return { method, path, failure, shortError, reply }
}

/** The rows without their schemas, for clients. */
export function wireCalls(): WireCalls {
  return Object.fromEntries(Object.entries(routes).map(([name, row]) => [name, wireCall(row)])) as WireCalls
}

export * from './client.ts'
export { exampleOf, type Example } from './examples.ts'
export * from './labels.ts'
export * from './live.ts'
export * from './permissions.ts'
export * from './phone.ts'
export * from './problems.ts'
export * from './recipients.ts'
export * from './route.ts'
export * from './routes.ts'
export * from './shapes.ts'
export { type ApiKey, type Leavings, type LetInWay, letInWays } from './routes/people/api-keys.ts'
export type { Broadcast, BroadcastCounts, BroadcastDetail } from './routes/faxes/broadcasts.ts'
export type { CallRecord } from './call-record.ts'
export type { CallReport, Lines, RememberedNumber } from './routes/calls.ts'
export { eventWords, isThumbnailEntry } from './event-words.ts'
export type { FailureKind } from './failure-kinds.ts'
export type { Fax, FaxStatus, HeldFax, Quote } from './routes/faxes/faxes.ts'
export type { InboundFax } from './routes/faxes/inbound.ts'
export type { DocumentFormat, ReceivedFax } from './routes/faxes/received.ts'
export { type BulkAction, type BulkKind, maxBulk } from './routes/faxes/bulk.ts'
export { type JobSort, maxSorted } from './routes/faxes/job-order.ts'
export { maxInboundDownloaded, maxJoinedMegabytes } from './routes/faxes/inbound-many.ts'
export type { Job, JobAction, JobFilter, JobSummary, ResendRefusal } from './routes/faxes/jobs.ts'
export {
  type FaxView,
  type FaxViewKind,
  type LogEntry,
  maxCompared,
  type TrailComparison,
  type TrailCopy,
} from './routes/logs.ts'
export type { Diagnostics, TunnelStatus } from './routes/operations.ts'
export type { Activity, ActivityRange, Config, HealthStatus, ProviderTraits } from './routes/overview.ts'
export { type Group, maxGroups, maxInGroup, type OwnGroup } from './routes/people/groups.ts'
export { type FaxOpened, maxOpenableFaxes, maxOpeningsAnHour, type OpenableFax } from './routes/faxes/openings.ts'
export type { Factors, MadePasskey, Passkey, PasskeyAnswer } from './routes/people/factors.ts'
export type { Account, Session } from './routes/people/account.ts'
export type { Person } from './routes/people/people.ts'
export {
  type Deletion,
  type DeletionReason,
  type HoldKind,
  holdKinds,
  type LegalHold,
  type Retention,
  type RetentionRule,
} from './routes/retention.ts'
export type { ManifestReport, Plugin, PluginConfig, RegistryItem } from './routes/plugins.ts'
export {
  type Price,
  type Report,
  type ReportFigures,
  type ReportSection,
  reportSections,
  reportSteps,
} from './routes/reports.ts'
export type { ApprovalState, FaxRequest, PendingFax, RequestedFax } from './routes/faxes/requests.ts'
export type { FoundFax, PageMarks, PageTexts } from './routes/faxes/search.ts'
export type { SplitPart } from './routes/faxes/separators.ts'
export type { DescribedSetting, Settings } from './routes/settings.ts'
export type {
  DeliveryState,
  DetailedDelivery,
  InboundContent,
  ListedWebhook,
  Webhook,
  WebhookDelivery,
} from './routes/webhooks.ts'
export { eventSummaries, examplePayload, payloadVersion, webhookPayloads } from './webhook-payloads.ts'
export { type MessageEvent, messageEvents, type WebhookEvent, webhookEvents } from './webhook-events.ts'

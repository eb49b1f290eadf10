export { Broadcasts, type BroadcastSending, type Recipient } from './broadcasts.ts'
export { Faxdeck, type FaxdeckOptions, type Sending } from './faxdeck.ts'
export { Inbound } from './inbound.ts'
export type { Cover, Labels, Looks } from './looks.ts'
export type { Paper } from './paper.ts'
export {
  AccessError,
  ConnectionError,
  FaxdeckError,
  GatewayError,
  RefusedError,
  StillUnderWayError,
} from './problems.ts'
export { Received } from './received.ts'
export { type FailedRecipient, PartialSendError } from './send-each.ts'
export type * from './messages.ts'
export type * from './shapes.ts'
export type { Waiting } from './wait.ts'
export { type WebhookChange, Webhooks } from './webhooks.ts'
export { verifyWebhook, type WebhookHeaders, type WebhookVerification, WebhookVerificationError } from './webhook.ts'

export { Broadcasts, type BroadcastSending, type Recipient } from './broadcasts.ts'
export { Faxdeck, type FaxdeckOptions, type Sending } from './faxdeck.ts'
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
export type {
  Broadcast,
  BroadcastRecipient,
  Fax,
  FaxEvent,
  FaxStatus,
  InboundFax,
  Job,
  JobFilter,
  Quote,
  SplitPart,
  SplitQuote,
} from './shapes.ts'
export type { Waiting } from './wait.ts'

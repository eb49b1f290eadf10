export { Faxdeck, type FaxdeckOptions, type Sending } from './faxdeck.ts'
export type { Cover, Looks } from './looks.ts'
export type { Paper } from './paper.ts'
export {
  AccessError,
  ConnectionError,
  FaxdeckError,
  GatewayError,
  RefusedError,
  StillUnderWayError,
} from './problems.ts'
export type { Fax, FaxStatus, InboundFax, Job, JobFilter, Quote, SplitPart, SplitQuote } from './shapes.ts'
export type { Waiting } from './wait.ts'

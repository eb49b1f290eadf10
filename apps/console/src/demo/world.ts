import type {
  ApiKey,
  BroadcastDetail,
  CallReport,
  Config,
  Deletion,
  FailureKind,
  FaxStatus,
  Finding,
  Group,
  InboundFax,
  InputOf,
  Job,
  Leavings,
  LegalHold,
  Lines,
  LogEntry,
  Opening,
  Passkey,
  PendingFax,
  Person,
  Price,
  RememberedNumber,
  ReplyOf,
  Retention,
  RetentionRule,
  RouteName,
  Routes,
  TrailCopy,
  Webhook,
  WebhookDelivery,
} from '@faxdeck/contract'
import type { Layers } from '@faxdeck/settings/forms'
import { leastReply } from './fake-calls.ts'
import { type FakePlugin, freshPlugins } from './installation/made-plugins.ts'

/** One thing that happens to a fax on its way. */
export interface Step {
  /** Milliseconds since 1970. */
  at: number
  event: string
  sentence: string
  status: FaxStatus
  kind?: FailureKind
  /** How long until the next attempt, in seconds. */
  againAfter?: number
}

/** A job, the number it really goes to, and what is still going to happen to it. */
export interface FakeJob {
  job: Job
  to: string
  /** Not yet taken, in order. */
  steps: Step[]
}

/** A broadcast as it was made; how it stands is read from its faxes. */
export interface FakeBroadcast {
  made: Omit<BroadcastDetail, 'counts' | 'state' | 'resendable' | 'number_failed'>
  paused: boolean
}

export interface FakeKey extends ApiKey {
  token: string
  /** What it saved that goes with it. */
  leaves?: Pick<Leavings, 'settings' | 'plugins' | 'webhooks'>
}

interface FakePreview {
  id: string
  kind: Job['document_kind']
  /** The cover included. */
  pages: number
  /** Whether page 1 is a cover. */
  covered?: boolean
}

/** A webhook, its secret, and what was sent to it. */
export interface FakeWebhook {
  webhook: Webhook
  secret: string
  /** Newest first. */
  messages: WebhookDelivery[]
  /** The status its receiver answers; null when it is silent. */
  answers: number | null
}

/** How a call fails on purpose: no answer at all, or an answer with a status and perhaps a body. */
export type Failure = 'offline' | { status: number; statusText: string; body?: Record<string, unknown> }

/** A small believable installation in memory. Lists are newest first. */
export interface World {
  /** Milliseconds since 1970; real time, moved on by `pass`. */
  now: () => number
  pass: (seconds: number) => void
  nextId: (length?: number) => string
  config: Config
  jobs: FakeJob[]
  broadcasts: FakeBroadcast[]
  inbound: InboundFax[]
  keys: FakeKey[]
  people: Person[]
  groups: Group[]
  /** Faxes of other groups: the person at the console sees them only after giving a reason. */
  foreign: Set<string>
  openings: (Opening & { fax_id: string })[]
  /** Legal holds and deletions, newest first, and the retention rules of groups. */
  care?: { holds: LegalHold[]; rules: RetentionRule[]; deletions: Deletion[]; cleaning?: Retention['cleaning'] }
  /** Whose session the console has; absent while it is used with a key. */
  signedIn?: string | undefined
  /** What stands on the button of single sign-on; absent where there is none. */
  singleSignOn?: { label: string }
  /** Whose password was right, while a second factor is asked for. */
  halfSignedIn?: string | undefined
  factors: FakeFactors
  /** Sessions of the person at the console that were ended. */
  endedSessions: string[]
  /** Until that session ends for idleness; a quarter of an hour when absent. */
  idleSeconds?: number | undefined
  /** Oldest first. */
  webhooks: FakeWebhook[]
  /** What the environment sets, and what people have saved. */
  settings: Layers
  /** The keys of the settings that are described; all of them, when absent. A long form takes jsdom long. */
  describedSettings?: readonly string[]
  /** What was last written to faxdeck.env. */
  settingsFile?: string
  /** The last test of the line. */
  lineTest?: ReplyOf<Routes['getLineTest']>
  previews: Map<string, FakePreview>
  /** Faxes that assistants ask for, oldest first. */
  approvals: PendingFax[]
  plugins: FakePlugin[]
  /** Why the dashboard is not healthy, in a sentence; it is healthy when absent. */
  problem?: string
  /** What the diagnostics find; a healthy installation when absent. */
  findings?: Finding[]
  /** When a backup was made; never, when absent. */
  backedUpAt?: string
  /** The lines of a fax, by its id; those of a referral when absent. */
  texts?: Map<string, readonly string[]>
  /** The audit trail, oldest first. */
  events: LogEntry[]
  /** The audit entry at which the chain does not hold; none when absent. */
  brokenAt?: number
  /** Where the audit trail is copied to. */
  trailCopies?: TrailCopy[]
  /** What providers charge. */
  prices?: Price[]
  actionsEnabled: boolean
  tunnel: InputOf<Routes['configureTunnel']>['body']
  lines: FakeLines
  /** How often a person has let the gateway restart. */
  restarts: number
  encryption: ReplyOf<Routes['getEncryption']>
  /** How many times longer calls take than on the test line; once as long when absent. */
  pace?: number
  /** Keys that were let in because any key is; absent where only real keys are good. */
  guests?: Set<string>
  /** Calls that fail until they are taken out again. */
  failures: Map<RouteName, Failure>
}

/** The key that is good in every fresh world. */
export const bootstrapKey = 'fdk_live_000000000000_bootstrap'

const config: Config = {
  version: '1.0.2',
  backend: 'testline',
  hybrid: { outbound: 'testline', inbound: 'testline' },
  test_line: true,
  test_line_bypasses: null,
  test_account: null,
  data_folder_from: null,
  storage: { backend: 'local' },
  require_api_key: true,
  enforce_public_https: true,
  public_api_url: '',
  allow_restart: false,
  persisted_settings_enabled: true,
  audit_log_enabled: true,
  branding: { docs_base: 'https://docs.example.com/latest' },
  limits: { max_file_size_mb: 10 },
  default_country: 'US',
  default_cover: 'none',
  organization: null,
  sender_missing: [],
  break_glass_minutes: 0,
  mcp: {
    sse_enabled: false,
    sse_path: '/mcp/sse',
    http_enabled: true,
    http_path: '/mcp/http',
    require_oauth: false,
    oauth: { issuer: '', audience: '', jwks_url: '' },
  },
  v3_plugins: { enabled: false, active_outbound: 'testline', installed: 0 },
}

/** Ids that look random and are the same in every run. */
function idMaker(): World['nextId'] {
  let state = 0x2545f491
  const digit = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 28).toString(16)
  }
  return (length = 32) => Array.from({ length }, digit).join('')
}

/** A world in which nothing has happened yet. */
export function emptyWorld(): World {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    pass: (seconds) => {
      ahead += seconds * 1000
    },
    nextId: idMaker(),
    config: structuredClone(config),
    jobs: [],
    broadcasts: [],
    inbound: [],
    keys: [],
    people: [],
    groups: [],
    foreign: new Set(),
    openings: [],
    factors: noFactors(),
    endedSessions: [],
    webhooks: [],
    settings: { environment: { fax_disabled: true, inbound_enabled: true, enable_mcp_http: true }, saved: {} },
    previews: new Map(),
    approvals: [],
    plugins: freshPlugins(),
    events: [],
    actionsEnabled: true,
    tunnel: { enabled: false, provider: 'none' },
    lines: noLines(),
    restarts: 0,
    encryption: { state: 'done', documents_done: 0, documents_total: 0, problem: null },
    failures: new Map(),
  }
}

/** Whether a fax waits for another attempt. */
export const isWaiting = ({ held, next_try_at: next }: Pick<Job, 'held' | 'next_try_at'>) => !held && next !== null

/** An instant of the world as the wire writes it. */
export const instantOf = (milliseconds: number) => new Date(milliseconds).toISOString()

interface FakeLines {
  report: CallReport
  lines: Lines
  numbers: RememberedNumber[]
}

/** No call has gone through a switch of our own. */
const noLines = (): FakeLines => ({
  report: leastReply('getCallReport'),
  lines: leastReply('getLines'),
  numbers: [],
})

/** The second factors of the person at the console. */
interface FakeFactors {
  /** When the authenticator app was set up; null for none. */
  totp: string | null
  passkeys: Passkey[]
  codes: number
  required: boolean
  mustEnrol: boolean
  confirmed: boolean
  /** When an administrator reset them, until the person knows. */
  resetAt: string | null
}

const noFactors = (): FakeFactors => ({
  totp: null,
  passkeys: [],
  codes: 0,
  required: false,
  mustEnrol: false,
  confirmed: true,
  resetAt: null,
})

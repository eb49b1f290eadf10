import type { FailureKind } from '@faxdeck/contract/failure-kinds'
import type { SettingRow, SettingValue } from '@faxdeck/settings'
import type { CallRecord } from './call-record.ts'
import type { CallOptions, CallTuning } from './call-options.ts'
import type { UncertainAttempt } from './outcome/uncertain-attempt.ts'
import type { LineTest, LineTestResult } from './line-test.ts'
import type { Snippet } from './setup/snippet.ts'
import type { LiveCall } from './telephone/call-log.ts'
import { plainText } from './plain-words.ts'
import type { Traits } from './traits.ts'
import type { IncomingFax, StatusUpdate } from './updates.ts'
import type { HeadProof, WebhookHead, WebhookRequest } from './http/webhook-request.ts'

export type { Snippet } from './setup/snippet.ts'
export type { Traits } from './traits.ts'
export { type FailureKind, failureKinds } from '@faxdeck/contract/failure-kinds'
export type { IncomingFax, StatusUpdate } from './updates.ts'
export type { HeadProof, WebhookFile, WebhookHead, WebhookRequest } from './http/webhook-request.ts'

/** What a failure that passes means for the other faxes of the provider, which usually wait as well. */
export interface Waiting {
  /** Other faxes can go out meanwhile: only this one waits. */
  only?: 'this fax'
  /** Why nothing is sent, as one short sentence, where it is not that the provider asked for fewer faxes. */
  pause?: string
}

/** A provider's refusal or failure, in our words. */
export class ProviderProblem extends Error {
  override name = 'ProviderProblem'
  readonly kind: FailureKind
  /** Seconds the provider asked us to wait. */
  readonly retryAfterSeconds: number | undefined
  readonly waiting: Waiting
  /** @param sentence what failed, for people, with the provider's own words where it gave some */
  constructor(kind: FailureKind, sentence: string, retryAfterSeconds?: number, waiting: Waiting = {}) {
    super(plainText(sentence))
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
    this.waiting = waiting
  }
}

/** A fax to be sent. */
export interface OutgoingFax {
  jobId: string
  /** Unique per attempt; give it to the provider as our reference where it takes one. */
  attemptId: string
  /** E.164. */
  to: string
  /** A number of ours that it is to come from, E.164; absent for that of the line. */
  from?: string
  pages: number
  /** `standard`: the far end said that it cannot take a finer one. */
  resolution?: 'standard'
  /** What the header line that the provider prints is to say of the sender, up to 50 characters. */
  headerText?: string
  /** How its call is to be made; only for lines with `tuning`. */
  call?: CallOptions
  /** The document as PDF. */
  pdf: () => Promise<Uint8Array>
  /** Path of the 1-bit G4 TIFF; only for lines whose provider requiresPages. */
  tiffPath: string | null
  /** A public link to the PDF, for providers that fetch it; the same one whenever it is asked for. */
  documentUrl: () => Promise<string>
  /** Where the provider is to report status, with the attempt in its query; null without a public URL. */
  callbackUrl: string | null
}

/** The provider's acknowledgment that it has taken a fax. */
export interface SendReceipt {
  providerId: string
  /** When the answer already reports more than "queued". */
  update?: StatusUpdate
}

/** A fax that the provider has of an attempt, and what it says of it. */
export interface FoundFax {
  taken: true
  providerId: string
  update?: StatusUpdate
}

/** An open connection to a provider under one set of settings. */
export interface Line {
  /**
   * The provider gets the document by its link and in no other way: `send` asks for `documentUrl` and not for `pdf`. As
   * long as nobody has used the link, it is then certain that nothing was faxed.
   */
  fetchesDocument?: boolean
  /**
   * Hands over one fax. Resolves when the provider has taken it; delivery is reported later, or even before.
   * @throws {ProviderProblem} kinds other than `uncertain` promise that nothing was taken
   */
  send: (fax: OutgoingFax, signal: AbortSignal) => Promise<SendReceipt>
  /**
   * The present state of a fax, or undefined when the provider does not know it. It says what the answer says, also of
   * another fax than was asked for: that is compared in one place, see `contradictionIn`.
   */
  status?: (providerId: string, signal: AbortSignal) => Promise<StatusUpdate | undefined>
  /**
   * Whether the provider took the attempt: settles `uncertain`. `taken: false` only when that is certain, which a list
   * without the attempt does not make it: see `listsReachPast`.
   * @throws {ProviderProblem} `uncertain` when the provider does not know, now or ever
   */
  find?: (attemptId: string, signal: AbortSignal, handedOver: UncertainAttempt) => Promise<{ taken: false } | FoundFax>
  /** Asks to stop a fax. True when the provider promises that it will not go out. */
  cancel?: (providerId: string, signal: AbortSignal) => Promise<boolean>
  /** Received faxes the provider has since then: what a lost notification announced. Repeats are harmless. */
  listReceived?: (since: Date, signal: AbortSignal) => Promise<IncomingFax[]>
  /** States of the faxes it took from us since then. Those that are not ours to know are passed over. */
  listSent?: (since: Date, signal: AbortSignal) => Promise<StatusUpdate[]>
  /**
   * Tells the provider where to post received faxes, in place of a person at its console.
   * @param address ours, without credentials
   * @throws {ProviderProblem} with one sentence saying why it could not
   */
  registerWebhook?: (address: string, signal: AbortSignal) => Promise<void>
  /** Gets an announced document; `reference` is what IncomingFax.document.fetch said. */
  fetchDocument?: (reference: string, signal: AbortSignal) => Promise<Uint8Array>
  /** What of a call can be changed, of lines where that is possible. */
  tuning?: CallTuning
  /** The calls that are up, of lines whose engine reports them. */
  calls?: () => LiveCall[]
  /** What was observed of a received call while it was up. */
  receivedCall?: (providerId: string) => CallRecord | undefined
  /** Tries the line from end to end, with a call to ourselves. What it sends and receives is no fax of anybody's. */
  test?: (test: LineTest) => Promise<LineTestResult>
  /** Frees sockets and timers. */
  close?: () => Promise<void>
}

/** What the gateway gives a provider. Nothing else of the world is theirs: no environment, no global fetch. */
export interface Host {
  /** Outgoing HTTP, guarded and bounded by the gateway. */
  fetch: typeof globalThis.fetch
  /** A folder of the provider's own inside the data directory. */
  directory: string
  /** `https://fax.example.org`, without a trailing slash. */
  publicUrl: string
  now: () => Date
  /** Reports the state of a fax. Safe to repeat. Resolves when it is recorded. */
  report: (update: StatusUpdate) => Promise<void>
  /**
   * Hands over a received fax. Safe to repeat. Resolves when it is recorded and a document that came as `bytes` or
   * `path` is stored: the file at `path` may then be removed.
   * @returns false while receiving is off: nothing was kept
   */
  receive: (fax: IncomingFax) => Promise<boolean>
  log: { info: (message: string, facts?: object) => void; warn: (message: string, facts?: object) => void }
}

/** What a webhook means, in our words. */
export interface WebhookOutcome {
  updates?: StatusUpdate[]
  incoming?: IncomingFax[]
  /** The answer to the provider; 200 `{"ok":true}` when absent. It is sent after everything is recorded. */
  answer?: WebhookAnswer
  /** The answer in its place while receiving is off: to a provider that asks whether a call is to be taken. */
  answerWhenOff?: WebhookAnswer
}

export interface WebhookAnswer {
  status: number
  contentType: string
  body: string
}

/** One address a provider posts to. */
export interface Webhook {
  path: string
  /** A word for the reference and the audit trail: "status callback". */
  name: string
  purpose: 'status' | 'inbound' | 'both'
  /** Answers only to the private network and the internal secret. */
  internal?: true
  /** The media types of a body that it understands, the preferred one first; given when the address is registered. */
  contentTypes?: readonly string[]
  /** Takes documents along with its words, so that its bodies may be large. */
  takesFiles?: true
  /** What the head alone proves. Without the settings that a proof needs it is `none`: such a body is never read. */
  proveHead: (head: WebhookHead, settings: ProviderSettings) => HeadProof
  /** Whether the request truly comes from the provider. Missing proof is false. */
  verify: (request: WebhookRequest, settings: ProviderSettings) => boolean
  /** @throws {ProviderProblem} `rejected` when the body cannot be understood */
  translate: (request: WebhookRequest, settings: ProviderSettings) => WebhookOutcome
}

export type ProviderSettings = Readonly<Record<string, SettingValue>>

/** One diagnostic finding. */
export interface Finding {
  passed: boolean
  /** What was seen, when it helps: one sentence, without credentials. */
  detail?: string
  /** Not tested, and no issue of its own: why, as a sentence that begins "Not run". See `notRun`. */
  untried?: string
  /** What is wrong and where to go, where the check's own words would claim what was not seen. */
  instead?: Pick<Check, 'hint' | 'setting'> & Partial<Pick<Check, 'severity'>>
}

/** What the provider is in use for while it is checked. */
export interface CheckedUse {
  /** Faxes are received through it. */
  receiving: boolean
}

export interface Check {
  /** Name on the wire, for example `api_key_set`. */
  name: string
  severity: 'critical' | 'warning'
  /** One sentence: what is wrong and what to do. */
  hint: string
  /** The setting to go to: one of the provider's, or `public_api_url`. */
  setting?: string
  /** Concerns receiving only: run for the provider that receives. */
  inbound?: true
  /** Probes for at most the signal's time. */
  run: (settings: ProviderSettings, host: Host, signal: AbortSignal, use: CheckedUse) => Promise<Finding> | Finding
}

/** What the header line of a page says of the sender; null for what is not set. */
export interface PageSender {
  sender: string | null
  /** The number of the sending line. */
  station: string | null
}

/** A fax provider: everything the gateway knows about it. */
export interface Provider {
  /** `[a-z0-9-]{2,40}`; also the backend's name on the wire. */
  id: string
  name: string
  /** `managed`: the gateway runs the equipment itself. */
  kind: 'cloud' | 'self_hosted' | 'managed' | 'builtin' | 'plugin'
  traits: Traits
  settings: readonly SettingRow[]
  /** One sentence saying what is missing and where to set it; undefined when the provider can be used. */
  missing: (settings: ProviderSettings) => string | undefined
  /**
   * Names the account that the settings lead to; secrets may be part of it, because only its fingerprint is kept. What
   * one account knows of its faxes means nothing for another's. Absent where there are no accounts.
   */
  account?: (settings: ProviderSettings) => string
  /** The account of the settings as the provider names it where it speaks of a fax: `StatusUpdate.account`. */
  accountId?: (settings: ProviderSettings) => string | undefined
  /** Whether the settings lead to an account that sends nothing. What only its answers show is `StatusUpdate.isTest`. */
  isTestAccount?: (settings: ProviderSettings) => boolean
  /** Who the header line on its pages names, where settings of its own say so; the gateway's say the rest. */
  pageSender?: (settings: ProviderSettings) => PageSender
  /** Opens a line. Absent: the provider cannot send (yet). */
  open?: (host: Host, settings: ProviderSettings) => Line
  webhooks: readonly Webhook[]
  checks: readonly Check[]
  /** What the operator's own equipment needs to know. @param directory the provider's folder in the data directory */
  snippets?: (directory: string) => readonly Snippet[]
  /** Simultaneous calls when no setting says otherwise. */
  concurrency: number
  /** Simultaneous calls that its own settings allow: no other setting goes beyond. */
  channels?: (settings: ProviderSettings) => number
}

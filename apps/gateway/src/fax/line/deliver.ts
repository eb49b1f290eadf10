import { losesWriting } from '@faxdeck/contract/page-notes'
import { randomBytes } from 'node:crypto'
import type { HeaderLine } from '@faxdeck/documents'
import { type Line, type OutgoingFax, type Provider, ProviderProblem } from '@faxdeck/provider-kit'
import PQueue from 'p-queue'
import { transactTogether } from '../../base/db/commit-group.ts'
import { untilBack } from '../../base/db/outage.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import type { Pass } from '../../base/providers/breakers.ts'
import { deadline, uploadMs } from '../../base/outgoing/outgoing.ts'
import { type Claim, isSurelyHeld, LeaseLost } from '../../base/queue/queue.ts'
import { makeFolder } from '../../base/settings/data-directory.ts'
import { advance } from '../move/advance.ts'
import { coverOf } from '../../paper/pages/cover.ts'
import { isStoredPdf, readDocument, readPdf } from '../read/document.ts'
import type { CallChoice } from '../calls/ladder.ts'
import { planCall } from '../calls/number-memory.ts'
import { type DocumentLink, drawDocumentLink, keepDocumentLink, noteGiven } from '../facts/document-link.ts'
import { pagesDirectory, pagesPath } from '../facts/drawn-pages.ts'
import type { GatewayContext } from '../../base/context.ts'
import { callingNumberOf } from '../../access/groups/group-of.ts'
import { headerFor, headerTextFor } from '../../paper/pages/header-values.ts'
import { hopeless, ProviderRemoved } from './hopeless.ts'
import { type FoundNote, UnreadablePages } from '../../paper/pages/page-notes.ts'
import { afterUncertain } from '../facts/pauses.ts'
import { recordOutcome, recordReceipt } from './report.ts'

/** How long a provider may take to confirm that it has the fax, beside the time that its document takes to go out. */
const sendTimeoutMs = 120_000
const connectionLost = 'The connection was lost while sending. The provider may or may not have accepted the fax.'
/** A document is read whole to be drawn: so many at once bounds the memory that takes. */
const drawing = new PQueue({ concurrency: 4 })

/** Draws the pages again for each attempt, because the header line shows its time. The file is written atomically. */
async function preparePages(
  context: GatewayContext,
  job: FaxJobRow,
  header: HeaderLine | undefined,
  coarser: boolean,
  signal: AbortSignal,
): Promise<{ tiffPath: string; notes: readonly FoundNote[] }> {
  const path = pagesPath(context, job.id)
  const document = await readDocument(context, job)
  await makeFolder(pagesDirectory(context))
  const { fax_paper: paper, fax_resolution } = context.settings.current()
  const resolution = coarser ? 'standard' : fax_resolution
  const options = { paper, resolution, tones: job.tones, header, cover: coverOf(job) }
  const { notes } = await context.documents.toTiff(document, path, options, signal)
  const lost = notes.filter(losesWriting)
  if (job.unreadable === 'refuse' && lost.length > 0) throw new UnreadablePages(lost)
  return { tiffPath: path, notes }
}

interface Ready {
  provider: Provider
  line: Line
  /** The account that the line leads to. */
  account: string | null
  /** The far end cannot take a finer resolution than standard. */
  coarser: boolean
  /** What is sent where the line does not need pages. */
  pdf: Uint8Array | null
  tiffPath: string | null
  /** The number it is to come from, where it is not that of the line. */
  from?: string | undefined
  /** What stands on top of the pages. */
  header?: HeaderLine | undefined
  /** What the check of the pages found. */
  notes?: readonly FoundNote[] | undefined
}

/** Whether the far end refused an attempt because its pages were too fine. */
async function mustBeCoarser({ database: { db } }: GatewayContext, job: FaxJobRow): Promise<boolean> {
  if (job.attempt_count === 0) return false
  const refused = db.selectFrom('fax_attempts').select('id').where('job_id', '=', job.id).where('again', '=', 'coarser')
  return (await refused.executeTakeFirst()) !== undefined
}

/** All problems with the document surface here, while no provider can have the fax yet. */
async function prepare(context: GatewayContext, job: FaxJobRow, claim: Claim, signal: AbortSignal): Promise<Ready> {
  const provider = context.providers.find(job.backend)
  if (!provider) {
    throw new ProviderRemoved(
      `The provider "${job.backend}" was removed, so the fax was not sent. Send it again through another provider.`,
    )
  }
  const line = context.providers.line(job.backend)
  const account = context.providers.account(job.backend)
  const coarser = await mustBeCoarser(context, job)
  const from = await callingNumberOf(context.database.db, job.group_id)
  const found = { provider, line, account, coarser, from }
  // A broadcast fills this queue: a fax that was sent by itself is drawn before its others.
  const drawn = { signal, priority: job.broadcast_id === null ? 1 : 0 }
  if (!provider.traits.requires_pages) {
    const read = () => context.memory.use(job.size_bytes, () => readPdf(context, job), signal)
    return { ...found, pdf: await (isStoredPdf(job) ? read() : drawing.add(read, drawn)), tiffPath: null }
  }
  const draw = async (): Promise<Ready> => {
    await advance(context, job.id, { to: 'preparing' }, claim)
    const header = headerFor(context, provider, from)
    return { ...found, pdf: null, ...(await preparePages(context, job, header, coarser, signal)), header }
  }
  return drawing.add(() => context.memory.use(job.size_bytes, draw, signal), drawn)
}

/**
 * The ways to the document. A link that was never used proves that nothing was faxed, unless it went another way too.
 * @param drawn the link of a line whose provider fetches the document: written down already
 */
function waysToDocument(context: GatewayContext, job: FaxJobRow, attempt: Attempt, { pdf, tiffPath }: Ready) {
  let given = tiffPath !== null
  let link = attempt.link && Promise.resolve(attempt.link.url)
  const make = async () => {
    const made = drawDocumentLink(context, { jobId: job.id, attemptId: attempt.id, now: context.now() })
    await keepDocumentLink(context.database, made, given ? context.now() : null)
    return made.url
  }
  return {
    tiffPath,
    pdf: async () => {
      given = true
      if (link) await noteGiven(context.database, attempt.id, context.now())
      return pdf ?? readPdf(context, job)
    },
    documentUrl: () => (link ??= make()),
  }
}

interface Attempt {
  id: string
  choice: CallChoice | undefined
  link: DocumentLink | undefined
}

function outgoing(context: GatewayContext, job: FaxJobRow, attempt: Attempt, ready: Ready): OutgoingFax {
  const attemptId = attempt.id
  const publicUrl = context.settings.current().public_api_url.replace(/\/+$/, '')
  const headerText = headerTextFor(context, ready.provider)
  const status = ready.provider.webhooks.find(({ purpose, internal }) => purpose !== 'inbound' && !internal)
  return {
    jobId: job.id,
    attemptId,
    to: job.to_number,
    pages: job.pages,
    ...(ready.from === undefined ? {} : { from: ready.from }),
    ...(ready.coarser ? { resolution: 'standard' } : {}),
    ...(attempt.choice ? { call: attempt.choice.options } : {}),
    ...(headerText === undefined ? {} : { headerText }),
    ...waysToDocument(context, job, attempt, ready),
    callbackUrl: status && publicUrl ? `${publicUrl}${status.path}?attempt=${attemptId}` : null,
  }
}

/** What a failed send says about the way to the provider: a refusal is an answer too. */
function logFailure(pass: Pass, error: unknown): void {
  if (hopeless(error)) return
  const kind = error instanceof ProviderProblem ? error.kind : 'uncertain'
  if (kind === 'bad_credentials') pass.refused()
  else if (error instanceof ProviderProblem && error.waiting.only) pass.reached()
  else if (error instanceof ProviderProblem && kind === 'rate_limited')
    pass.askedToWait(error.retryAfterSeconds, error.waiting.pause)
  else if (kind === 'unreachable' || kind === 'uncertain') pass.failed()
  else pass.reached()
}

/** What a provider's refusal, or a broken connection to it, makes of the attempt. */
async function recordFailure(
  context: GatewayContext,
  job: FaxJobRow,
  attemptId: string,
  error: unknown,
): Promise<void> {
  const reason = hopeless(error)
  if (reason) {
    await advance(context, job.id, { to: 'failed', attemptId, ...reason })
    return
  }
  if (error instanceof ProviderProblem && error.kind !== 'uncertain') {
    const { kind, message: sentence } = error
    const pause = context.breakers.pauseOf(job.backend)
    // With a backup provider there is nothing to wait for, unless it was asked to be patient.
    const isRerouted = pause?.reason !== 'rate_limited' && context.providers.standIn(job.backend) !== undefined
    const until = isRerouted ? 0 : (pause?.until.getTime() ?? 0)
    const pausedSeconds = Math.max(0, Math.ceil((until - context.now().getTime()) / 1000))
    const retryAfterSeconds = Math.max(error.retryAfterSeconds ?? 0, pausedSeconds)
    // Credentials that are refused are refused for every fax: this one waits with the others.
    const ofEveryFax = kind === 'bad_credentials'
    const putOff = kind === 'rate_limited' && error.waiting.pause !== undefined
    await advance(context, job.id, { to: 'failed', attemptId, kind, sentence, retryAfterSeconds, ofEveryFax, putOff })
    return
  }
  const sentence = error instanceof ProviderProblem ? error.message : connectionLost
  const lookAgain = afterUncertain(context.now())
  await recordOutcome(context, job.id, { to: 'uncertain', attemptId, sentence, lookAgain })
}

interface SendAttempt {
  claim: Claim
  signal: AbortSignal
  pass: Pass
}

async function handOver(context: GatewayContext, job: FaxJobRow, ready: Ready, { claim, signal, pass }: SendAttempt) {
  const attemptId = randomBytes(16).toString('hex')
  const { header, account, notes, from } = ready
  const begunAfter = context.providers.clock(job.backend)?.now
  // Written together with the attempt: whenever this process dies, the unused link tells that nothing was faxed.
  const link = ready.line.fetchesDocument
    ? drawDocumentLink(context, { jobId: job.id, attemptId, now: context.now() })
    : undefined
  const choice = await planCall(context.database, job, ready.line.tuning, context.now())
  const isTest = context.providers.isTestAccount(job.backend)
  const facts = { isTest, header, notes, choice, account, from, begunAfter, link: link?.row }
  const begin = { to: 'submitting', attemptId, ...facts } as const
  const moved = await advance(context, job.id, begin, claim)
  if (!moved || moved.verdict === 'refused') return
  if (!isSurelyHeld(claim)) {
    // This process stood still meanwhile, and another one may be at work on the fax. Nothing has left yet.
    await untilBack(() => advance(context, job.id, { to: 'not_taken', attemptId }))
    throw new LeaseLost(claim)
  }
  const patience = deadline(sendTimeoutMs + uploadMs(ready.pdf?.length ?? 0), signal)
  let receipt
  try {
    receipt = await ready.line.send(outgoing(context, job, { id: attemptId, link, choice }, ready), patience.signal)
  } catch (error) {
    // We were stopped, not refused: whoever takes the fax up next asks the provider what became of it.
    if (signal.aborted && !(error instanceof ProviderProblem)) throw error
    if (!signal.aborted) logFailure(pass, error)
    await untilBack(() => recordFailure(context, job, attemptId, error))
    return
  } finally {
    patience.end()
  }
  pass.reached()
  await recordReceipt(context, job, attemptId, receipt)
}

/** A fax whose provider takes none waits, or goes through the backup provider: nobody has taken it. */
async function detour(context: GatewayContext, job: FaxJobRow, claim: Claim): Promise<void> {
  const reason = context.breakers.pauseOf(job.backend)?.reason
  const standIn = reason === 'rate_limited' ? undefined : context.providers.standIn(job.backend)
  if (standIn && context.breakers.pausedUntil(standIn.id) === undefined) {
    await advance(context, job.id, { to: 'rerouted', backend: standIn.id, refused: reason === 'credentials' }, claim)
    return
  }
  const dueAt = context.breakers.pausedUntil(job.backend)
  const later = { ...(dueAt && { dueAt }), hold: false }
  await transactTogether(context.database, (tx) => context.queue.reschedule(tx, claim, later))
}

/**
 * Takes a waiting fax to its provider: draws the pages where the line needs them, commits that it is being
 * handed over, and only then hands it over.
 */
export async function deliver(
  context: GatewayContext,
  job: FaxJobRow,
  claim: Claim,
  signal: AbortSignal,
): Promise<undefined> {
  const pass = context.breakers.take(job.backend)
  if (!pass) return detour(context, job, claim).then(() => undefined)
  try {
    const ready = await prepare(context, job, claim, signal).catch(async (error: unknown) => {
      const reason = hopeless(error)
      if (!reason) throw error
      await advance(context, job.id, { to: 'failed', ...reason }, claim)
    })
    if (ready) await handOver(context, job, ready, { claim, signal, pass })
  } finally {
    pass.giveBack()
  }
}

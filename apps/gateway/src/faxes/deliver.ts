import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { DocumentProblem, type HeaderLine } from '@faxdeck/documents'
import { type Line, type OutgoingFax, type Provider, ProviderProblem } from '@faxdeck/provider-kit'
import { transactTogether } from '../db/commit-group.ts'
import type { FaxJobRow } from '../db/tables.ts'
import { Problem } from '../http/problem.ts'
import type { Pass } from '../providers/breakers.ts'
import { deadline } from '../providers/deadline.ts'
import type { Claim } from '../queue/queue.ts'
import { StorageProblem } from '../storage/storage.ts'
import { advance } from './advance.ts'
import { coverOf } from './cover.ts'
import { isStoredPdf, readDocument, readPdf } from './document.ts'
import { createDocumentLink, noteGiven } from './document-link.ts'
import { type FaxDoors, pagesDirectory, pagesPath } from './doors.ts'
import { headerFor } from './header-line.ts'
import { afterUncertain } from './reconcile.ts'
import { report } from './report.ts'

/** What a provider may take to answer that it has the fax. */
const sendTimeoutMs = 120_000

/** Draws the pages, anew for each attempt, whose time the header line says; the file appears whole or not at all. */
async function preparePages(
  doors: FaxDoors,
  job: FaxJobRow,
  header: HeaderLine | undefined,
  signal: AbortSignal,
): Promise<string> {
  const path = pagesPath(doors, job.id)
  await mkdir(pagesDirectory(doors), { recursive: true, mode: 0o700 })
  const { fax_paper: paper, fax_resolution: resolution } = doors.settings()
  const options = { paper, resolution, tones: job.tones, header, cover: coverOf(job) }
  await doors.documents.toTiff(await readDocument(doors, job), path, options, signal)
  return path
}

/** Why a fax that was accepted cannot be handed over after all; undefined for faults that may pass. */
function hopeless(error: unknown): { kind: 'bad_document' | 'bad_credentials'; sentence: string } | undefined {
  if (error instanceof DocumentProblem) return { kind: 'bad_document', sentence: error.sentence }
  if (error instanceof StorageProblem && error.code === 'missing') {
    return { kind: 'bad_document', sentence: 'The stored document is gone, so the fax could not be sent.' }
  }
  if (!(error instanceof Problem)) return undefined
  if (error.code === 'document_not_found') return { kind: 'bad_document', sentence: error.message }
  return error.code === 'provider_not_configured' ? { kind: 'bad_credentials', sentence: error.message } : undefined
}

interface Ready {
  provider: Provider
  line: Line
  /** What is sent where the line does not need pages. */
  pdf: Uint8Array | null
  tiffPath: string | null
  /** What stands on top of the pages. */
  header?: HeaderLine | undefined
}

/** Whatever can go wrong with the document goes wrong here, while nobody can have the fax yet. */
async function prepare(doors: FaxDoors, job: FaxJobRow, claim: Claim, signal: AbortSignal): Promise<Ready> {
  const line = doors.providers.line(job.backend)
  const provider = doors.providers.find(job.backend)
  if (!provider) throw new Problem('provider_not_configured', `There is no provider "${job.backend}" any more.`)
  if (!provider.traits.requires_pages) {
    const read = () => readPdf(doors, job)
    return { provider, line, pdf: await (isStoredPdf(job) ? read() : doors.drawing(read, signal)), tiffPath: null }
  }
  return doors.drawing(async () => {
    await advance(doors, job.id, { to: 'preparing' }, claim)
    const header = headerFor(doors, provider)
    return { provider, line, pdf: null, tiffPath: await preparePages(doors, job, header, signal), header }
  }, signal)
}

/** The ways to the document. A link that was never used proves that nothing was faxed, unless it went another way too. */
function waysToDocument(doors: FaxDoors, job: FaxJobRow, attemptId: string, { pdf, tiffPath }: Ready) {
  let given = tiffPath !== null
  let link: Promise<string> | undefined
  return {
    tiffPath,
    pdf: async () => {
      given = true
      if (link) await noteGiven(doors.database, attemptId, doors.now())
      return pdf ?? readPdf(doors, job)
    },
    documentUrl: () => (link ??= createDocumentLink(doors, { jobId: job.id, attemptId, given, now: doors.now() })),
  }
}

function outgoing(doors: FaxDoors, job: FaxJobRow, attemptId: string, ready: Ready): OutgoingFax {
  const publicUrl = doors.settings().public_api_url.replace(/\/+$/, '')
  const status = ready.provider.webhooks.find(({ purpose, internal }) => purpose !== 'inbound' && !internal)
  return {
    jobId: job.id,
    attemptId,
    to: job.to_number,
    pages: job.pages,
    ...waysToDocument(doors, job, attemptId, ready),
    callbackUrl: status && publicUrl ? `${publicUrl}${status.path}?attempt=${attemptId}` : null,
  }
}

/** What a failed send says about the way to the provider: a refusal is an answer too. */
function tellOfFailure(pass: Pass, error: unknown): void {
  if (hopeless(error)) return
  const answered = error instanceof ProviderProblem && error.kind !== 'unreachable' && error.kind !== 'uncertain'
  if (answered) pass.reached()
  else pass.failed()
}

/** What a provider's refusal, or a broken connection to it, makes of the attempt. */
async function recordFailure(doors: FaxDoors, job: FaxJobRow, attemptId: string, error: unknown): Promise<void> {
  const reason = hopeless(error)
  if (reason) {
    await advance(doors, job.id, { to: 'failed', attemptId, ...reason })
    return
  }
  if (error instanceof ProviderProblem && error.kind !== 'uncertain') {
    const { kind, message: sentence, retryAfterSeconds } = error
    await advance(doors, job.id, { to: 'failed', attemptId, kind, sentence, retryAfterSeconds })
    return
  }
  const sentence =
    error instanceof ProviderProblem
      ? error.message
      : 'The connection broke while the fax was handed over. Whether the provider took it is not known.'
  await advance(doors, job.id, { to: 'uncertain', attemptId, sentence, lookAgain: afterUncertain(doors.now()) })
}

interface Errand {
  claim: Claim
  signal: AbortSignal
  pass: Pass
}

async function handOver(doors: FaxDoors, job: FaxJobRow, ready: Ready, { claim, signal, pass }: Errand) {
  const attemptId = randomBytes(16).toString('hex')
  const moved = await advance(doors, job.id, { to: 'submitting', attemptId, header: ready.header }, claim)
  if (moved?.verdict !== 'applies') return
  const patience = deadline(sendTimeoutMs, signal)
  let receipt
  try {
    receipt = await ready.line.send(outgoing(doors, job, attemptId, ready), patience.signal)
  } catch (error) {
    // We were stopped, not refused: whoever takes the fax up next asks the provider what became of it.
    if (signal.aborted && !(error instanceof ProviderProblem)) throw error
    if (!signal.aborted) tellOfFailure(pass, error)
    await recordFailure(doors, job, attemptId, error)
    return
  } finally {
    patience.end()
  }
  pass.reached()
  const { providerId, update } = receipt
  await advance(doors, job.id, { to: 'accepted', attemptId, providerId, word: update?.word })
  if (update && (update.state === 'delivered' || update.state === 'failed')) {
    await report(doors, job.backend, { ...update, attemptId, providerId })
  }
}

/** A fax whose provider cannot be reached waits, or goes through the stand-in: nobody has taken it. */
async function detour(doors: FaxDoors, job: FaxJobRow, claim: Claim): Promise<void> {
  const standIn = doors.providers.standIn(job.backend)
  if (standIn && doors.breakers.pausedUntil(standIn.id) === undefined) {
    await advance(doors, job.id, { to: 'rerouted', backend: standIn.id }, claim)
    return
  }
  const dueAt = doors.breakers.pausedUntil(job.backend) ?? doors.now()
  await transactTogether(doors.database, (tx) => doors.queue.reschedule(tx, claim, { dueAt, hold: false }))
}

/**
 * Takes a waiting fax to its provider: draws the pages where the line needs them, commits that it is being
 * handed over, and only then hands it over.
 */
export async function deliver(doors: FaxDoors, job: FaxJobRow, claim: Claim, signal: AbortSignal): Promise<undefined> {
  const pass = doors.breakers.take(job.backend)
  if (!pass) return detour(doors, job, claim).then(() => undefined)
  try {
    const ready = await prepare(doors, job, claim, signal).catch(async (error: unknown) => {
      const reason = hopeless(error)
      if (!reason) throw error
      await advance(doors, job.id, { to: 'failed', ...reason }, claim)
    })
    if (ready) await handOver(doors, job, ready, { claim, signal, pass })
  } finally {
    pass.giveBack()
  }
}

import { type Fax, isFaxNumber, type routes } from '@faxdeck/contract'
import { recordDownload, recordNumberShown, recordView } from '../access/record-view.ts'
import type { Call, Caller, FileAnswer, Handlers, Upload } from '../base/http/handler.ts'
import type { FaxJobRow } from '../base/db/tables/tables.ts'
import { assertFits } from '../base/http/upload-limit.ts'
import { Problem } from '../base/http/answers/problem.ts'
import { groupToSendFor } from '../access/groups/group-of.ts'
import { readOpenings } from '../access/groups/break-glass.ts'
import { readCodes } from '../paper/page-text/codes.ts'
import { showPageTexts } from '../paper/page-text/plain-text.ts'
import { searchablePdf } from '../paper/page-text/searchable.ts'
import { isTestFax } from '../base/providers/test-line.ts'
import { coverTextOf } from '../paper/pages/cover.ts'
import { cancelFax } from './line/cancel.ts'
import { readPage, readPdf } from './read/document.ts'
import { useDocumentLink } from './facts/document-link.ts'
import type { GatewayContext } from '../base/context.ts'
import { pausedProviders } from '../base/providers/describe-pause.ts'
import { exportJobs } from './read/export.ts'
import { listJobs, listVisible } from './read/list.ts'
import { readNumber, soughtNumber } from '../base/number.ts'
import { checkNumbers } from './accept/check-numbers.ts'
import { actionsOf, firstAnswer, presentFax } from './read/present.ts'
import type { Previews } from './preview/previews.ts'
import { coverFor, quoteFax } from './preview/quote.ts'
import { abilitiesOf, findJob, requireJob } from './facts/find-job.ts'
import { readAccepted, readJob, withPause, presentSummaries } from './read/read-job.ts'
import { readReceipt } from './read/receipt.ts'
import type { Waits } from './follow/wait.ts'
import { isVisible, requireReadable, requireVisible, visibleFaxes } from '../access/visible.ts'
import { lookUpRecipient } from './read/recipients.ts'
import { refreshFax } from './line/refresh.ts'
import { releaseFax } from './move/release.ts'
import { resendFax } from './accept/resend.ts'
import { resolveFax } from './move/resolve.ts'
import { submitFax } from './accept/submit.ts'

async function submit(context: GatewayContext, call: Call<(typeof routes)['submitFax']>): Promise<Fax> {
  const { form, file, caller, idempotencyKey } = call
  const { to, tones, unreadable, reference = null, metadata = {}, group_id, allow_unlikely_number, ...cover } = form
  const by = { callerKeyId: caller.keyId, idempotencyKey }
  const group = await groupToSendFor(context, caller, group_id)
  const allowsUnlikely = allow_unlikely_number === 'true'
  const submission = { to, tones, unreadable, cover, group, reference, metadata, file, allowsUnlikely, ...by }
  const { job, replayed } = await submitFax(context, submission)
  if (replayed) call.replayed()
  return firstAnswer(job, isTestFax(context.providers, job))
}

/** The document for the provider that holds a link of the attempt under way. */
async function linkedPdf(context: GatewayContext, call: Call<(typeof routes)['getFaxPdf']>): Promise<FileAnswer> {
  const { id } = call.params
  const job = await findJob(context.database.db, id)
  // Refused before the link counts as used: whoever gets nothing has nothing.
  const isUnderWay = job?.phase === 'submitting' || job?.phase === 'accepted' || job?.phase === 'uncertain'
  if (!job || !isUnderWay) throw new Problem('token_refused')
  const attemptId = await useDocumentLink(context.database, id, call.query.token, context.now())
  if (job.attempt_id !== attemptId) throw new Problem('token_refused')
  const content = await readPdf(context, job)
  await context.events.pdfServed({ job_id: id, backend: job.backend })
  return { content, fileName: `fax_${id}.pdf` }
}

async function jobPdf(
  context: GatewayContext,
  call: Pick<Call<(typeof routes)['getJobPdf']>, 'params' | 'caller'>,
  { withText, withCover }: { withText: boolean; withCover: boolean },
): Promise<FileAnswer> {
  const job = await requireReadable(context.database, call.params.id, call.caller)
  const pdf = await readPdf(context, withCover ? job : { ...job, cover: null })
  const content = (withText ? await searchablePdf(context, 'sent', job.id, async () => pdf) : undefined) ?? pdf
  await recordDownload(context, { job_id: job.id, backend: job.backend, key_id: call.caller.keyId })
  return { content, fileName: `fax_${job.id}.pdf` }
}

async function jobPage(context: GatewayContext, call: Call<(typeof routes)['getJobPage']>): Promise<FileAnswer> {
  const { width } = call.query
  const { id, page } = call.params
  const job = await requireReadable(context.database, id, call.caller)
  const answer = await readPage(context, job, page, width, call.headers['if-none-match'])
  await recordView(context, { job_id: id, key_id: call.caller.keyId, page, width })
  return answer
}

async function csv(context: GatewayContext, call: Call<(typeof routes)['exportJobs']>): Promise<FileAnswer> {
  const { ids, ...query } = call.query
  const filter = { ...query, visible: visibleFaxes(call.caller), paused: pausedProviders(context) }
  const isTest = (job: FaxJobRow) => isTestFax(context.providers, job)
  const chosen = ids?.split(',').filter((id) => /^[0-9a-f]{32}$/.test(id))
  return { content: await exportJobs(context.database, isTest, filter, chosen), fileName: 'fax-jobs.csv' }
}

/** The document of a form. @throws {Problem} `file_missing`, `too_large` */
function fileOf({ settings }: GatewayContext, file: Upload | undefined): Upload {
  if (!file) throw new Problem('file_missing')
  assertFits(file.bytes, settings.current())
  return file
}

function previewHandlers(context: GatewayContext, previews: Previews) {
  return {
    quoteFax: async ({ file, form: { allow_unlikely_number, ...form } }) =>
      quoteFax(context, fileOf(context, file), { ...form, allowsUnlikely: allow_unlikely_number === 'true' }),
    createPreview: async ({ file, caller }) => previews.create(caller.keyId, fileOf(context, file)),
    coverPreview: async ({ params, caller, body: { to = '', group_id, ...given } }) => {
      const { number: from } = await groupToSendFor(context, caller, group_id)
      // While the number is being typed, the page is shown without one.
      const number = isFaxNumber(to) ? readNumber(to, context.settings.current().default_country) : null
      return previews.cover(caller.keyId, params.id, coverFor(context, given, number, from))
    },
    quotePreview: ({ params, query, caller }) => previews.quote(caller.keyId, params.id, query.tones),
    getPreviewPage: async ({ params, caller, query: { tones, width, group_id } }) => {
      const { number: from } = await groupToSendFor(context, caller, group_id)
      const image = await previews.page(caller.keyId, params.id, params.page, { tones, width, from })
      if (!image) throw new Problem('page_not_found')
      return { content: image.png, etag: `"${params.id}-${tones}-${params.page}-${width ?? 'full'}-${from ?? 'line'}"` }
    },
  } satisfies Partial<Handlers>
}

type Changing = Pick<Call<(typeof routes)['resendJob']>, 'params' | 'caller'>

/** Cancels a fax that the caller sees. @throws {Problem} `fax_not_found` for any other */
async function cancel(context: GatewayContext, { params, caller }: Changing): Promise<void> {
  await requireVisible(context.database, params.id, visibleFaxes(caller))
  await cancelFax(context, params.id, caller.keyId)
}

/** Sends a fax again that the caller sees. @throws {Problem} `fax_not_found` for any other */
async function resend(
  context: GatewayContext,
  { params, body, caller, idempotencyKey, replayed: sayReplayed }: Call<(typeof routes)['resendJob' | 'resendFax']>,
): Promise<FaxJobRow> {
  await requireVisible(context.database, params.id, visibleFaxes(caller))
  const by = { callerKeyId: caller.keyId, idempotencyKey }
  const { job, replayed } = await resendFax(context, params.id, by, body)
  if (replayed) sayReplayed()
  return job
}

async function receipt(context: GatewayContext, { params, caller }: Changing): Promise<FileAnswer> {
  await requireReadable(context.database, params.id, caller)
  return readReceipt(context, params.id, caller.keyId)
}

/** What a person does with a job; each answers the job as it then stands. */
function actionHandlers(context: GatewayContext) {
  return {
    showJobNumber: async ({ params, caller }) => {
      const { id, to_number } = await requireReadable(context.database, params.id, caller)
      await recordNumberShown(context, { job_id: id, key_id: caller.keyId })
      return { to_number }
    },
    refreshJob: async ({ params, caller }) => {
      await requireVisible(context.database, params.id, visibleFaxes(caller))
      await refreshFax(context, params.id)
      return readJob(context, params.id)
    },
    cancelJob: async (call) => {
      await cancel(context, call)
      return readJob(context, call.params.id)
    },
    releaseJob: async ({ params, caller }) => {
      await releaseFax(context, params.id, caller.keyId)
      return readJob(context, params.id)
    },
    resendJob: async (call) => readAccepted(context, await resend(context, call)),
    resolveJob: async ({ params, body, caller, idempotencyKey, replayed: sayReplayed }) => {
      const by = { callerKeyId: caller.keyId, idempotencyKey }
      const { replayed } = await resolveFax(context, params.id, body, by)
      if (replayed) sayReplayed()
      return readJob(context, params.id)
    },
  } satisfies Partial<Handlers>
}

async function showFax(context: GatewayContext, job: FaxJobRow): Promise<Fax> {
  const codes = await readCodes(context.database.db, [job.id])
  return presentFax(withPause(context, job), isTestFax(context.providers, job), codes.get(job.id))
}

/** What a program can do with a fax now: nothing with one that it may only read. */
function programActions(context: GatewayContext, job: FaxJobRow, caller: Caller): Fax['actions'] {
  if (!caller.permissions.has('send_faxes') || !isVisible(visibleFaxes(caller), job)) return []
  const actions = actionsOf(job, abilitiesOf(context, job.backend))
  return actions.filter((action) => action === 'cancel' || action === 'resend')
}

/** What programs see and do, each within the faxes that its key sees. */
function programHandlers(context: GatewayContext, waits: Waits) {
  const { database, settings, providers } = context
  return {
    getFax: async ({ params, query, caller, gone }) => {
      const job = await requireReadable(database, params.id, caller)
      const wait = { job, keyId: caller.keyId, seconds: query.wait ?? 0, gone }
      const shown = await waits.outcome(wait)
      return { ...(await showFax(context, shown)), actions: programActions(context, shown, caller) }
    },
    listFaxes: async ({ query: { limit, cursor, to, ...filter }, caller }) => {
      const number = to === undefined ? undefined : soughtNumber(to, settings.current().default_country)
      const fitting = { ...filter, to: number, visible: visibleFaxes(caller), paused: pausedProviders(context) }
      const { jobs, nextCursor } = await listVisible(database, fitting, { limit, cursor })
      const ids = jobs.map(({ id }) => id)
      const codes = await readCodes(database.db, ids)
      const faxes = jobs.map((job) => presentFax(withPause(context, job), isTestFax(providers, job), codes.get(job.id)))
      return { faxes, next_cursor: nextCursor }
    },
    cancelFax: async (call) => {
      await cancel(context, call)
      return showFax(context, await requireJob(context, call.params.id))
    },
    resendFax: async (call) => {
      const job = await resend(context, call)
      return firstAnswer(job, isTestFax(providers, job))
    },
    getFaxReceipt: (call) => receipt(context, call),
    getFaxDocument: (call) => jobPdf(context, call, { withText: true, withCover: true }),
  } satisfies Partial<Handlers>
}

/** The calls about faxes that go out. */
export function faxHandlers(context: GatewayContext, previews: Previews, waits: Waits) {
  return {
    ...previewHandlers(context, previews),
    ...programHandlers(context, waits),
    ...actionHandlers(context),
    submitFax: (call) => submit(context, call),
    getFaxPdf: (call) => linkedPdf(context, call),
    listJobs: ({ query, caller }) => {
      const filter = { ...query, visible: visibleFaxes(caller), paused: pausedProviders(context) }
      return listJobs(context.database, filter, (jobs) => presentSummaries(context, jobs))
    },
    exportJobs: (call) => csv(context, call),
    getJob: async ({ params, caller }) => {
      const row = await requireReadable(context.database, params.id, caller)
      const openings = await readOpenings(context.database.db, params.id)
      const job = { ...(await readJob(context, params.id)), ...openings, cover_text: coverTextOf(row) }
      return isVisible(visibleFaxes(caller), row) ? job : { ...job, actions: [] }
    },
    getJobPdf: (call) => jobPdf(context, call, { withText: true, withCover: true }),
    getJobOriginal: (call) => jobPdf(context, call, { withText: false, withCover: call.query.cover === 'true' }),
    getJobPage: (call) => jobPage(context, call),
    getJobText: async ({ params: { id }, caller }) => {
      const job = await requireReadable(context.database, id, caller)
      if (job.document_key === null) throw new Problem('document_not_found')
      return showPageTexts(context, 'sent', { id, keyId: caller.keyId })
    },
    getJobReceipt: (call) => receipt(context, call),
    checkNumbers: ({ body }) => checkNumbers(context, body.numbers),
    lookUpRecipient: ({ query, caller }) => {
      // While it is being typed it may be too short for its country.
      const number = soughtNumber(query.to, context.settings.current().default_country)
      return lookUpRecipient(context, number, visibleFaxes(caller))
    },
  } satisfies Partial<Handlers>
}

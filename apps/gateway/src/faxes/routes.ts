import { type CoverFields, isFaxNumber, type routes } from '@faxdeck/contract'
import type { Cover } from '@faxdeck/documents'
import type { Call, FileAnswer, Handlers, Upload } from '../http/handler.ts'
import { assertFits } from '../http/guards.ts'
import { Problem } from '../http/problem.ts'
import { readCodes } from '../page-text/codes.ts'
import { searchablePdf } from '../page-text/searchable.ts'
import { isTestLine } from '../providers/test-line.ts'
import type { createAcceptance } from './accept.ts'
import { cancelFax } from './cancel.ts'
import { isStoredPdf, readPage, readPdf } from './document.ts'
import { useDocumentLink } from './document-link.ts'
import type { FaxDoors } from './doors.ts'
import { exportJobs } from './export.ts'
import type { FaxRoutes } from './faxes.ts'
import { listJobs } from './list.ts'
import { readNumber } from './number.ts'
import { firstAnswer, presentFax, presentSummary } from './present.ts'
import type { Previews } from './previews.ts'
import type { Quote, QuoteOptions } from './quote.ts'
import { abilitiesOf, findJob, readAccepted, readJob, requireJob, withPause } from './read-job.ts'
import { readReceipt } from './receipt.ts'
import { lookUpRecipient } from './recipients.ts'
import { refreshFax } from './refresh.ts'
import { releaseFax } from './release.ts'
import { resendFax } from './resend.ts'
import { resolveFax } from './resolve.ts'
import { createSubmission, documentProblem } from './submit.ts'

interface RouteParts {
  doors: FaxDoors
  accept: ReturnType<typeof createAcceptance>
  previews: Previews
  /** @throws {Problem} `bad_number` */
  quote: (file: Upload, options: QuoteOptions) => Promise<Quote>
  /** The cover page of a fax that is not sent yet. */
  cover: (given: CoverFields, toNumber: string | null) => Cover | undefined
}

/** Wider pictures than this are read, narrower ones are thumbnails. */
const widestThumbnail = 400

function createSubmitFax({ doors, accept }: RouteParts): Handlers<FaxRoutes>['submitFax'] {
  const submit = createSubmission({ ...doors, accept })
  return async ({ form, file, caller, idempotencyKey, replayed: sayReplayed }) => {
    const { to, tones, unreadable, ...cover } = form
    const submission = { to, tones, unreadable, cover, file, callerKeyId: caller.keyId, idempotencyKey }
    const { job, replayed } = await submit(submission)
    if (replayed) sayReplayed()
    return firstAnswer(job, isTestLine(doors.providers, job.backend))
  }
}

/** The document for the provider that holds a link of the attempt under way. */
async function linkedPdf(doors: FaxDoors, call: Call<(typeof routes)['getFaxPdf']>): Promise<FileAnswer> {
  const { id } = call.params
  const job = await findJob(doors.database.db, id)
  // Refused before the link counts as used: whoever gets nothing has nothing.
  const isUnderWay = job?.phase === 'submitting' || job?.phase === 'accepted' || job?.phase === 'uncertain'
  if (!job || !isUnderWay) throw new Problem('token_refused')
  const attemptId = await useDocumentLink(doors.database, id, call.query.token, doors.now())
  if (job.attempt_id !== attemptId) throw new Problem('token_refused')
  const content = await readPdf(doors, job)
  await doors.events.pdfServed({ job_id: id, backend: job.backend })
  return { content, fileName: `fax_${id}.pdf` }
}

async function jobPdf(doors: FaxDoors, call: Call<(typeof routes)['getJobPdf']>): Promise<FileAnswer> {
  const job = await requireJob(doors, call.params.id)
  const pdf = await readPdf(doors, job)
  const content = isStoredPdf(job) ? pdf : ((await searchablePdf(doors, 'sent', job.id, async () => pdf)) ?? pdf)
  await doors.events.adminPdfDownload({ job_id: job.id, backend: job.backend, key_id: call.caller.keyId })
  return { content, fileName: `fax_${job.id}.pdf` }
}

async function jobPage(doors: FaxDoors, call: Call<(typeof routes)['getJobPage']>): Promise<FileAnswer> {
  const { width } = call.query
  const { id, page } = call.params
  const job = await requireJob(doors, id)
  const answer = await readPage(doors, job, page, width, call.headers['if-none-match'])
  if (width === undefined || width > widestThumbnail) {
    await doors.events.documentViewed({ job_id: id, key_id: call.caller.keyId, page })
  }
  return answer
}

async function csv(doors: FaxDoors, call: Call<(typeof routes)['exportJobs']>): Promise<FileAnswer> {
  const { ids, ...filter } = call.query
  const isTest = (backend: string) => isTestLine(doors.providers, backend)
  const chosen = ids?.split(',').filter((id) => /^[0-9a-f]{32}$/.test(id))
  return { content: await exportJobs(doors.database, isTest, filter, chosen), fileName: 'fax-jobs.csv' }
}

/** Refusals of a document or its cover are told to the caller. */
async function tellRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw documentProblem(error)
  }
}

/** Does something with the document of a form. */
async function withFile<T>(
  { settings }: FaxDoors,
  file: Upload | undefined,
  use: (file: Upload) => Promise<T>,
): Promise<T> {
  if (!file) throw new Problem('file_missing')
  assertFits(file.bytes, settings())
  return tellRefusal(() => use(file))
}

type PreviewRoutes = 'quoteFax' | 'createPreview' | 'coverPreview' | 'quotePreview' | 'getPreviewPage'

function previewHandlers({ doors, previews, quote, cover }: RouteParts): Pick<Handlers<FaxRoutes>, PreviewRoutes> {
  return {
    quoteFax: ({ file, form }) => withFile(doors, file, (given) => quote(given, form)),
    createPreview: ({ file }) => withFile(doors, file, previews.create),
    coverPreview: ({ params, body: { to = '', ...given } }) => {
      // While the number is being typed, the page is shown without one.
      const number = isFaxNumber(to) ? readNumber(to, doors.settings().default_country) : null
      return tellRefusal(() => previews.cover(params.id, cover(given, number)))
    },
    quotePreview: ({ params, query }) => previews.quote(params.id, query.tones),
    getPreviewPage: async ({ params, query }) => {
      const { tones, width } = query
      const image = await previews.page(params.id, params.page, tones, width)
      if (!image) throw new Problem('page_not_found')
      return { content: image.png, etag: `"${params.id}-${tones}-${params.page}-${width ?? 'full'}"` }
    },
  }
}

/** What a person does with a job; each answers the job as it then stands. */
function actionHandlers({ doors, accept }: RouteParts) {
  return {
    refreshJob: async ({ params }) => {
      await refreshFax(doors, params.id)
      return readJob(doors, params.id)
    },
    cancelJob: async ({ params, caller }) => {
      await cancelFax(doors, params.id, caller.keyId)
      return readJob(doors, params.id)
    },
    releaseJob: async ({ params, caller }) => {
      await releaseFax(doors, params.id, caller.keyId)
      return readJob(doors, params.id)
    },
    resendJob: async ({ params, body, caller, idempotencyKey, replayed: sayReplayed }) => {
      const by = { callerKeyId: caller.keyId, idempotencyKey }
      const { job, replayed } = await resendFax(doors, accept, params.id, by, body.unreadable)
      if (replayed) sayReplayed()
      return readAccepted(doors, job)
    },
    resolveJob: async ({ params, body, caller }) => {
      await resolveFax(doors, params.id, body.outcome, caller.keyId)
      return readJob(doors, params.id)
    },
  } satisfies Pick<Handlers<FaxRoutes>, 'refreshJob' | 'cancelJob' | 'releaseJob' | 'resendJob' | 'resolveJob'>
}

/** The calls about faxes that go out. */
export function faxHandlers(parts: RouteParts): Handlers<FaxRoutes> {
  const { doors } = parts
  return {
    ...previewHandlers(parts),
    ...actionHandlers(parts),
    submitFax: createSubmitFax(parts),
    getFax: async ({ params }) => {
      const job = await requireJob(doors, params.id)
      const codes = await readCodes(doors.database.db, [job.id])
      return presentFax(withPause(doors, job), isTestLine(doors.providers, job.backend), codes.get(job.id))
    },
    getFaxPdf: (call) => linkedPdf(doors, call),
    listJobs: ({ query }) =>
      listJobs(doors.database, query, (job) => presentSummary(withPause(doors, job), abilitiesOf(doors, job.backend))),
    exportJobs: (call) => csv(doors, call),
    getJob: ({ params }) => readJob(doors, params.id),
    getJobPdf: (call) => jobPdf(doors, call),
    getJobPage: (call) => jobPage(doors, call),
    getFaxReceipt: ({ params, caller }) => readReceipt(doors, params.id, caller.keyId),
    getJobReceipt: ({ params, caller }) => readReceipt(doors, params.id, caller.keyId),
    lookUpRecipient: ({ query }) => lookUpRecipient(doors, readNumber(query.to, doors.settings().default_country)),
  }
}

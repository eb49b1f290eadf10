import { readKeyNames } from '../../access/actors/key-names.ts'
import type { GatewayContext } from '../../base/context.ts'
import { inPages } from '../../base/db/in-pages.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import type { Counted, Ledger, RecordFile } from './ledger.ts'
import { asSentFile, documentFile, jsonFile, withoutKeys } from './record-file.ts'
import { isReceivedOf, receivedNear, requestsOf, sentOf, type Subject, uploadsOf } from './subject.ts'

const atOnce = 100

/** `sent/20261122T181243Z_3f2a…`: in a folder they stand in the order of time. */
const folderOf = (section: Counted, at: string, id: string) =>
  `${section}/${at.slice(0, 19).replace(/[-:]/g, '')}Z_${id}`

type Files = AsyncGenerator<RecordFile, void>

/** Pages of rows in the order of their ids. */
const inOrder = <Row extends { id: string }>(read: (after: string) => Promise<Row[]>) =>
  inPages<Row>(atOnce, (last) => read(last?.id ?? ''))

async function deliveriesOf({ database: { db } }: GatewayContext, ids: readonly string[]) {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .leftJoin('webhook_endpoints', 'webhook_endpoints.id', 'webhook_deliveries.endpoint_id')
    .selectAll('webhook_deliveries')
    .select('webhook_endpoints.url')
    .where('subject_id', 'in', ids)
    .orderBy('webhook_deliveries.created_at')
    .execute()
  // The rest of an address may be what lets in whoever knows it.
  const shown = rows.map(({ url, ...row }) => ({ ...row, receiver: url && new URL(url).host }))
  return Map.groupBy(shown, (row) => row.subject_id)
}

async function aroundSent(context: GatewayContext, jobs: readonly FaxJobRow[]) {
  const { db } = context.database
  const ids = jobs.map(({ id }) => id)
  const attempts = await db
    .selectFrom('fax_attempts')
    .selectAll()
    .where('job_id', 'in', ids)
    .orderBy('number')
    .execute()
  const timeline = await db.selectFrom('fax_timeline').selectAll().where('job_id', 'in', ids).orderBy('n').execute()
  const recipients = await db.selectFrom('broadcast_recipients').selectAll().where('job_id', 'in', ids).execute()
  return {
    names: await readKeyNames(
      { db },
      jobs.map(({ caller_key_id: by }) => by),
    ),
    attempts: Map.groupBy(attempts, (row) => row.job_id),
    timeline: Map.groupBy(timeline, (row) => row.job_id),
    recipients: Map.groupBy(recipients, (row) => row.job_id),
    openings: await openingsOf(context, ids),
    deliveries: await deliveriesOf(context, ids),
  }
}

async function openingsOf({ database: { db } }: GatewayContext, ids: readonly string[]) {
  const rows = await db.selectFrom('fax_openings').selectAll().where('fax_id', 'in', ids).execute()
  return Map.groupBy(rows, (row) => row.fax_id)
}

type Around = Awaited<ReturnType<typeof aroundSent>>

function sentDetails(job: FaxJobRow, around: Around, isTest: boolean) {
  const { id } = job
  return {
    ...withoutKeys(job),
    sent_by_name: around.names.get(job.caller_key_id) ?? null,
    test: isTest,
    attempts: (around.attempts.get(id) ?? []).map(withoutKeys),
    timeline: around.timeline.get(id) ?? [],
    broadcast_recipient: around.recipients.get(id)?.[0] ?? null,
    opened_with_reason: around.openings.get(id) ?? [],
    webhook_deliveries: (around.deliveries.get(id) ?? []).map(withoutKeys),
  }
}

/** The faxes sent to the number, or by the person, each with its document. */
export async function* sentFiles(context: GatewayContext, subject: Subject, ledger: Ledger): Files {
  const read = (after: string) =>
    sentOf(context, subject).selectAll().where('id', '>', after).orderBy('id').limit(atOnce).execute()
  for await (const jobs of inOrder(read)) {
    const around = await aroundSent(context, jobs)
    for (const job of jobs) {
      const folder = folderOf('sent', job.created_at, job.id)
      const document = await documentFile(context, ledger, `${folder}/original`, job.document_key, job.created_at)
      if (document) yield document
      const wasTried = document !== undefined && around.attempts.has(job.id)
      const asSent = wasTried ? await asSentFile(context, ledger, `${folder}/as-sent.pdf`, job) : undefined
      if (asSent) yield asSent
      const isTest = isTestFax(context.providers, job)
      const details = sentDetails(job, around, isTest)
      ledger.counts.webhook_deliveries += details.webhook_deliveries.length
      const { id, to_number: to, status, pages, created_at: at } = job
      const line = { direction: 'sent', id, from: null, to, status, pages, at } as const
      const test = isTest ? ({ test: 'not sent' } as const) : {}
      const by = around.names.get(job.caller_key_id) ?? job.caller_key_id
      ledger.addFax({ ...line, ...test, by, document: asSent?.path ?? document?.path ?? '' })
      yield jsonFile(`${folder}/fax.json`, details, at)
    }
  }
}

async function* oneReceived(context: GatewayContext, ledger: Ledger, fax: InboundFaxRow, around: object): Files {
  const { id, received_at: at, pdf_key: pdf, original_key: original, from_number, to_number, status, pages } = fax
  const folder = folderOf('received', at, id)
  const document = await documentFile(context, ledger, `${folder}/document`, pdf, at)
  if (document) yield document
  const first = original === null ? undefined : await documentFile(context, ledger, `${folder}/original`, original, at)
  if (first) yield first
  const line = { direction: 'received', id, from: from_number, to: to_number, status, pages, at } as const
  const test = fax.is_test === 1 ? ({ test: 'made here' } as const) : {}
  ledger.addFax({ ...line, ...test, by: '', document: document?.path ?? first?.path ?? '' })
  yield jsonFile(`${folder}/fax.json`, { ...withoutKeys(fax), ...around }, at)
}

/** The faxes received from the number or on it, each with its documents. */
export async function* receivedFiles(context: GatewayContext, subject: Subject, ledger: Ledger): Files {
  const read = (after: string) =>
    receivedNear(context, subject).selectAll().where('id', '>', after).orderBy('id').limit(atOnce).execute()
  for await (const near of inOrder(read)) {
    const faxes = near.filter((fax) => isReceivedOf(subject, fax))
    ledger.leftOut += near.length - faxes.length
    if (faxes.length === 0) continue
    const ids = faxes.map(({ id }) => id)
    const openings = await openingsOf(context, ids)
    const deliveries = await deliveriesOf(context, ids)
    for (const fax of faxes) {
      const webhooks = (deliveries.get(fax.id) ?? []).map(withoutKeys)
      ledger.counts.webhook_deliveries += webhooks.length
      const around = { opened_with_reason: openings.get(fax.id) ?? [], webhook_deliveries: webhooks }
      yield* oneReceived(context, ledger, fax, around)
    }
  }
}

/** What assistants have asked for: a document that became a fax is with the fax. */
export async function* requestFiles(context: GatewayContext, subject: Subject, ledger: Ledger): Files {
  const read = (after: string) =>
    requestsOf(context, subject).selectAll().where('id', '>', after).orderBy('id').limit(atOnce).execute()
  for await (const requests of inOrder(read)) {
    for (const request of requests) {
      const { id, created_at: at, document_key: key, job_id: job } = request
      const folder = folderOf('requests', at, id)
      ledger.requests.add(id)
      ledger.counts.requests += 1
      const isWithFax = key === null && job !== null
      const document = isWithFax ? undefined : await documentFile(context, ledger, `${folder}/document`, key, at)
      if (document) yield document
      const { draft, ...known } = request
      const fax = withoutKeys(JSON.parse(draft) as Record<string, unknown>)
      yield jsonFile(`${folder}/request.json`, { ...withoutKeys(known), fax }, at)
    }
  }
}

/** Documents that were handed over and have not become a fax yet. */
export async function* uploadFiles(context: GatewayContext, subject: Subject, ledger: Ledger): Files {
  const read = (after: string) =>
    uploadsOf(context, subject).selectAll().where('id', '>', after).orderBy('id').limit(atOnce).execute()
  for await (const uploads of inOrder(read)) {
    for (const upload of uploads) {
      const folder = folderOf('uploads', upload.created_at, upload.id)
      ledger.counts.uploads += 1
      const document = await documentFile(context, ledger, `${folder}/document`, upload.document_key, upload.created_at)
      if (document) yield document
      yield jsonFile(`${folder}/upload.json`, withoutKeys(upload), upload.created_at)
    }
  }
}

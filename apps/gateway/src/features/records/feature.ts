import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { randomBytes } from 'node:crypto'
import { readKeyNames } from '../../access/actors/key-names.ts'
import { assertStillGood } from '../../access/actors/still-good.ts'
import { transact } from '../../base/db/transact.ts'
import { begunStream } from '../../base/http/answers/begun-stream.ts'
import type { FileAnswer } from '../../base/http/handler.ts'
import { clockOf } from '../../paper/pages/header-values.ts'
import { receivedFiles, requestFiles, sentFiles, uploadFiles } from './faxes.ts'
import { Ledger, type RecordFile } from './ledger.ts'
import { aboutFile, readMe } from './about.ts'
import { reportCsv, reportPdf } from './report.ts'
import { readSubject, type Subject } from './subject.ts'
import { type Export, exportName, summaryPdf } from './summary.ts'
import { trailFiles } from './trail.ts'
import { ZipWriter } from '../../base/http/answers/zip-writer.ts'

interface Asked {
  kind: Subject['kind']
  subject: string
  reason: string
}

/** Compressing these again gains nothing. */
const packedEndings = /\.(pdf|png|jpg|gif|webp|avif|heic|docx|odt)$/

const subjectFacts = (subject: Subject) =>
  subject.kind === 'number' ? { to: subject.number } : { person: subject.person }

/** Every file but the manifest, in the order in which they are written. */
async function* filesOf(context: GatewayContext, made: Export, ledger: Ledger): AsyncGenerator<RecordFile> {
  const { subject, at } = made
  const about = await aboutFile(context, subject, at)
  yield { path: 'README.txt', content: readMe, at: new Date(at) }
  yield about.file
  yield* sentFiles(context, subject, ledger)
  yield* receivedFiles(context, subject, ledger)
  yield* requestFiles(context, subject, ledger)
  yield* uploadFiles(context, subject, ledger)
  yield* trailFiles(context, subject, ledger, about.holds)
  yield { path: 'faxes.csv', content: ledger.faxesCsv(), at: new Date(at) }
  yield { path: '00-summary.pdf', content: await summaryPdf(context, made, ledger), at: new Date(at) }
}

function manifestOf(
  { id, at, by, byName, reason, subject }: Export,
  { counts, files, absent, leftOut }: Ledger,
): Buffer {
  const { kind } = subject
  const whose = kind === 'number' ? { kind, number: subject.number } : { kind, id: subject.person, name: subject.name }
  const manifest = {
    format: 1,
    export: id,
    exported_at: at,
    exported_by: by,
    exported_by_name: byName,
    reason,
    subject: whose,
  }
  const rest = { counts, documents_not_included: absent, received_with_similar_number_left_out: leftOut, files }
  return Buffer.from(`${JSON.stringify({ ...manifest, ...rest }, null, 2)}\n`)
}

/** Whoever is suspended or revoked meanwhile gets no more of it. */
const assertStillIn = ({ database, now }: GatewayContext, { by }: Export) =>
  transact(database, (tx) => assertStillGood(tx, by, now()))

/** The zip, read as fast as it is taken: one document at a time is in memory, and nothing is written to disk. */
async function* zipOf(context: GatewayContext, made: Export): AsyncGenerator<Buffer, void> {
  const ledger = new Ledger(clockOf(context).inWords)
  const zip = new ZipWriter()
  const add = ({ path, content, at }: RecordFile) => zip.add(path, content, at, packedEndings.test(path))
  for await (const file of filesOf(context, made, ledger)) {
    if (ledger.files.length % 100 === 99) await assertStillIn(context, made)
    ledger.note(file)
    yield* await add(file)
  }
  const table = { path: 'manifest.csv', content: ledger.filesCsv(), at: new Date(made.at) }
  ledger.note(table)
  yield* await add(table)
  yield* await add({ path: 'manifest.json', content: manifestOf(made, ledger), at: new Date(made.at) })
  const { sent, received, documents } = ledger.counts
  const whole = { export: made.id, files: ledger.files.length + 1, sent, received, documents }
  // An export without this entry was cut off.
  await context.events.recordsExportEnded({ key_id: made.by, ...whole })
  yield* zip.end()
}

/**
 * Everything about one number or one person as a zip. It is recorded before the first byte. What fails later cuts the
 * answer off, and a zip that was cut off does not open.
 * @throws {Problem} `bad_number`, `person_not_found`
 */
export async function exportRecords(context: GatewayContext, asked: Asked, keyId: string): Promise<FileAnswer> {
  const { database, events, now } = context
  const subject = await readSubject(context, asked)
  const id = randomBytes(6).toString('hex')
  const byName = (await readKeyNames(database, [keyId])).get(keyId) ?? null
  const made: Export = { id, at: now().toISOString(), by: keyId, byName, reason: asked.reason, subject }
  await transact(database, async (tx) => {
    await assertStillGood(tx, keyId, now())
    const facts = { key_id: keyId, export: made.id, kind: subject.kind, reason: asked.reason }
    await events.recordsExported({ ...facts, ...subjectFacts(subject) }, tx)
  })
  return { content: await begunStream(zipOf(context, made)), fileName: exportName(made) }
}

/** Hands out everything about one number or one person: for a request of access, or for a court. */
export const createRecords = (context: GatewayContext) =>
  ({
    name: 'records',
    routes: {
      exportRecords: ({ body, caller }) => exportRecords(context, body, caller.keyId),
      reportRecords: ({ body, caller }) => reportPdf(context, body, caller.keyId),
      reportRecordsCsv: ({ body, caller }) => reportCsv(context, body, caller.keyId),
    },
  }) satisfies Feature

import { sql } from 'kysely'
import type { Tx, Reader } from '../../base/db/database.ts'
import type { FaxUploadRow } from '../../base/db/tables/requests.ts'
import { uploadIsHeld, lockHolds } from '../../paper/retention/held.ts'
import { randomBytes } from 'node:crypto'
import { markOf } from '../../base/db/mark.ts'
import { transact } from '../../base/db/transact.ts'
import { measureFax } from '../../fax/accept/submit.ts'
import type { Upload, Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { newKey } from '../../base/storage/keys.ts'
import type { GatewayContext } from '../../base/context.ts'
import { finishRemovals, recordRemoval } from '../../paper/retention/removals.ts'

/** One that is still good, of this caller. */
const findUpload = (db: Reader, id: string, callerKeyId: string, now: Date): Promise<FaxUploadRow | undefined> =>
  db
    .selectFrom('fax_uploads')
    .selectAll()
    .where('id', '=', id)
    .where('caller_key_id', '=', callerKeyId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()

async function countUploads(db: Reader, callerKeyId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('fax_uploads')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('caller_key_id', '=', callerKeyId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  return Number(count)
}

const insertUpload = (db: Reader, row: FaxUploadRow) => db.insertInto('fax_uploads').values(row).execute()

const listOverdue = (db: Reader, now: Date, limit: number) =>
  db
    .selectFrom('fax_uploads')
    .select(['id', 'document_key'])
    .where('expires_at', '<=', now.toISOString())
    .where(sql<boolean>`not ${uploadIsHeld}`)
    .limit(limit)
    .execute()

/** @returns whether it was there and no hold keeps it */
async function removeUpload(tx: Tx, id: string): Promise<boolean> {
  const unheld = tx
    .deleteFrom('fax_uploads')
    .where('id', '=', id)
    .where(sql<boolean>`not ${uploadIsHeld}`)
  return (await unheld.executeTakeFirst()).numDeletedRows > 0n
}

const goodMs = 3_600_000
const max = 50

/**
 * Keeps a document for a later request of the same caller.
 * @throws {Problem} saying why it cannot be faxed, or that the caller has too many already; nothing was kept then
 */
export async function keepUpload(
  context: GatewayContext,
  file: Upload,
  callerKeyId: string,
): Promise<FaxUploadRow & { kind: Awaited<ReturnType<typeof measureFax>>['kind'] }> {
  const { database, storage, documents, now } = context
  const { kind, pages } = await measureFax(documents, file, undefined)
  const at = now()
  const hex = randomBytes(16).toString('hex')
  const row: FaxUploadRow = {
    id: `upl_${hex}`,
    caller_key_id: callerKeyId,
    document_key: newKey('uploads', hex, await markOf(database), kind),
    file_name: file.fileName,
    pages,
    size_bytes: file.bytes.length,
    created_at: at.toISOString(),
    expires_at: new Date(at.getTime() + goodMs).toISOString(),
  }
  await storage.put(row.document_key, file.bytes)
  try {
    await transact(database, async (tx) => {
      if ((await countUploads(tx, callerKeyId, at)) >= max) {
        throw new Problem('conflict', `This key has ${max} uploaded documents waiting. Each is deleted after an hour.`)
      }
      await insertUpload(tx, row)
    })
  } catch (error) {
    // After any other failure the commit may have succeeded: a stray document is better than a lost one.
    if (error instanceof Problem) await storage.remove(row.document_key)
    throw error
  }
  return { ...row, kind }
}

interface Given {
  file: Upload | undefined
  uploadId: string | undefined
  callerKeyId: string
}

/**
 * The document of a request: the one it brings, or the one that the same caller has uploaded before.
 * @throws {Problem} `file_missing`, `bad_request` when there are two, `upload_not_found` also for what is another's
 */
export async function documentOf(context: GatewayContext, { file, uploadId, callerKeyId }: Given): Promise<Upload> {
  if (uploadId === undefined) {
    if (!file)
      throw new Problem('file_missing', 'Attach the document in a form field named "file", or give an upload_id.')
    return file
  }
  if (file) throw new Problem('bad_request', 'Give the document itself or an upload_id, not both.')
  const upload = await findUpload(context.database.db, uploadId, callerKeyId, context.now())
  if (!upload) throw new Problem('upload_not_found')
  return { fileName: upload.file_name, bytes: await context.storage.get(upload.document_key) }
}

const atOnce = 100

/** Removes documents whose hour is over, if no hold keeps them. The documents themselves go once that is committed. */
export async function expireUploads(context: GatewayContext): Promise<void> {
  const { database, now } = context
  const overdue = await listOverdue(database.db, now(), atOnce)
  for (const { id, document_key: key } of overdue) {
    await transact(database, async (tx) => {
      await lockHolds(tx, database.engine, 'shared')
      if (await removeUpload(tx, id)) await recordRemoval(tx, [key], now())
    })
  }
  await finishRemovals(context)
  if (overdue.length === atOnce) await expireUploads(context)
}

/** Keeps a document for an hour that comes before its fax. */
export const uploadHandlers = (context: GatewayContext) =>
  ({
    uploadDocument: async ({ file, caller }) => {
      if (!file) throw new Problem('file_missing')
      const { id, kind, pages, size_bytes, expires_at } = await keepUpload(context, file, caller.keyId)
      return { id, kind, pages, size_bytes, expires_at }
    },
  }) satisfies Partial<Handlers>

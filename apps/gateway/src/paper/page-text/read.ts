import { setTimeout as delay } from 'node:timers/promises'
import { type Cover, DocumentProblem, type PageCode, type PageText } from '@faxdeck/documents'
import type { Tx } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import type { EventFacts } from '../../base/events/facts.ts'
import { ofTest } from '../../base/providers/test-line.ts'
import { shownKey } from '../pages/page-notes.ts'
import { coverOf } from '../pages/cover.ts'
import type { Claim } from '../../base/queue/queue.ts'
import { StorageProblem } from '../../base/storage/storage.ts'
import { keepReading, readCodes } from './codes.ts'
import { enqueueReading } from './enqueue.ts'
import type { GatewayContext } from '../../base/context.ts'
import { writingCipher } from './cipher.ts'
import { factsOfReceived, tokensOf, tokensOfNumber } from './fold.ts'
import { type Direction, insertPages, lastPage, newPage } from './store.ts'

/** The languages that are set, as Tesseract names them: "eng, deu" or "eng+deu". */
const languagesOf = (setting: string): string[] => setting.split(/[\s,+]+/).filter((language) => language !== '')

/** So often a fax is taken up whose reading crashed. */
const maxTries = 5
/** Of a document of which so many pages could not be read in their time, no more are tried. */
const maxLeftOut = 5
/** Between two turns others get at the database and the disk. */
const pauseMs = 5

interface Fax {
  id: string
  direction: Direction
  /** Null when there is no document, or none any more. */
  key: string | null
  cover: Cover | undefined
  facts: string[]
  /** Of a received fax: what its entry in the trail says of it. */
  entry?: EventFacts['inbound_text_read']
}

/** @param tx given, the fax cannot lose its document before the transaction ends */
async function findFax({ database }: GatewayContext, id: string, tx?: Tx): Promise<Fax | undefined> {
  const db = tx ?? database.db
  const locks = tx !== undefined && database.engine === 'postgres'
  const job = await db
    .selectFrom('fax_jobs')
    .selectAll()
    .where('id', '=', id)
    .$if(locks, (query) => query.forShare())
    .executeTakeFirst()
  if (job) {
    const facts = [...tokensOfNumber(job.to_number), ...tokensOf(job.file_name ?? '')]
    return { id, direction: 'sent', key: job.document_key, cover: coverOf(job), facts }
  }
  const fax = await db
    .selectFrom('inbound_faxes')
    .selectAll()
    .where('id', '=', id)
    .$if(locks, (query) => query.forShare())
    .executeTakeFirst()
  if (!fax) return undefined
  const entry = { job_id: id, backend: fax.provider, ...ofTest(fax.is_test === 1) }
  return { id, direction: 'received', key: shownKey(fax), cover: undefined, facts: factsOfReceived(fax), entry }
}

/** Writes under the eyes of the fax: what has lost its document meanwhile gets no text. */
async function keep(context: GatewayContext, fax: Fax, write: (tx: Tx) => Promise<void>): Promise<boolean> {
  return transact(context.database, async (tx) => {
    const now = await findFax(context, fax.id, tx)
    if (now?.key !== fax.key) return false
    await write(tx)
    return true
  })
}

/** A page that takes too long is left out, and the next one is read. */
async function readOn(
  context: GatewayContext,
  { cover, direction }: Fax,
  bytes: Uint8Array,
  from: number,
  signal: AbortSignal,
): Promise<{ total: number; pages: (PageText | undefined)[]; codes?: PageCode[] }> {
  const { fax_paper: paper, fax_text_languages: languages } = context.settings.current()
  const isReceived = direction === 'received'
  // A received fax was announced with its codes.
  const findsCodes = from === 0 && !isReceived
  const options = { paper, cover, from, languages: languagesOf(languages), isReceived, findsCodes }
  try {
    return await context.documents.read(bytes, options, signal)
  } catch (error) {
    const isOnePage = error instanceof DocumentProblem && (error.code === 'too_slow' || error.code === 'too_large')
    if (!isOnePage) throw error
    return { total: Infinity, pages: [undefined] }
  }
}

/** Reads from the first page that is missing. False when the document went away meanwhile. */
async function readPages(context: GatewayContext, fax: Fax, bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
  const { id, direction, facts } = fax
  const announced = (await readCodes(context.database.db, [id])).get(id)
  let next = ((await lastPage(context.database.db, direction, id)) ?? 0) + 1
  let left = 1
  let leftOut = 0
  while (left > 0) {
    signal.throwIfAborted()
    const { total, pages, codes = announced } = await readOn(context, fax, bytes, next - 1, signal)
    if (pages.includes(undefined) && ++leftOut > maxLeftOut) return true
    // Encryption may have been turned on while these pages were being read.
    const cipher = await writingCipher(context)
    const rows = pages.map((page, at) => newPage(id, next + at, page, { facts, codes, cipher }))
    const write = async (tx: Tx) => {
      await insertPages(tx, direction, rows)
      if (next === 1) await keepReading(tx, id, { state: 'waiting', codes, cipher, at: context.now() })
    }
    if (!(await keep(context, fax, write))) return false
    next += pages.length
    // Nobody knows the number of pages of a document that was never opened to its end; past it nothing is read.
    left = pages.length === 0 ? 0 : total - next + 1
    await delay(pauseMs)
  }
  return true
}

const isHopeless = (error: unknown) =>
  error instanceof DocumentProblem ||
  (error instanceof StorageProblem && (error.code === 'missing' || error.code === 'damaged'))

/**
 * Does one piece of reading: the numbers and the name first, then page after page, each of which stays once it was read.
 * A process that ends in the middle goes on where it stopped. What it reads goes to the database only.
 */
export async function readFax(context: GatewayContext, claim: Claim, signal: AbortSignal): Promise<undefined> {
  const { database, queue, storage, events, now } = context
  const end = (state?: 'read' | 'unreadable' | 'off') =>
    transact(database, async (tx) => {
      const fax = state && (await findFax(context, claim.subjectId, tx))
      if (fax && fax.key !== null) {
        await keepReading(tx, fax.id, { state, at: now() })
        if (state === 'read' && fax.entry) await events.inboundTextRead(fax.entry, tx)
      }
      await queue.complete(tx, claim)
    })
  const fax = await findFax(context, claim.subjectId)
  if (!fax) return end().then(() => undefined)
  const first = newPage(fax.id, 0, undefined, { facts: fax.facts })
  await transact(database, (tx) => insertPages(tx, fax.direction, [first]))
  if (fax.key === null) return end().then(() => undefined)
  if (!context.settings.current().fax_text) return end('off').then(() => undefined)
  try {
    const isRead = await readPages(context, fax, await storage.get(fax.key), signal)
    await end(isRead ? 'read' : undefined)
  } catch (error) {
    signal.throwIfAborted()
    if (!isHopeless(error) && claim.tries < maxTries) throw error
    await end('unreadable')
  }
}

/** Takes up again the faxes whose turn came while reading was off. */
export async function readSkipped({ database, queue }: GatewayContext): Promise<void> {
  await transact(database, async (tx) => {
    const skipped = await tx.selectFrom('page_readings').select('fax_id').where('state', '=', 'off').execute()
    const ids = skipped.map(({ fax_id: id }) => id)
    await enqueueReading(queue, tx, ids)
  })
}

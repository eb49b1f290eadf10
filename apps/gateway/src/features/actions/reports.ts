import { release, type, tmpdir } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../../base/db/database.ts'
import type { Events } from '../../base/events/events.ts'
import { pausedProviders } from '../../base/providers/describe-pause.ts'
import type { GatewayContext } from '../../base/context.ts'
import { countStates } from '../../fax/move/job-states.ts'
import { type Output, success, wrong } from './run.ts'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Documents } from '@faxdeck/documents'

async function engineVersion({ db, engine }: Database): Promise<string> {
  const asked =
    engine === 'sqlite'
      ? sql<{ version: string }>`select 'SQLite ' || sqlite_version() as version`
      : sql<{ version: string }>`select version() as version`
  const { rows } = await asked.execute(db)
  return rows[0]?.version ?? 'unknown'
}

/** What runs here, by version. */
export async function reportVersions(version: string, database: Database): Promise<Output> {
  return success([
    `Faxdeck    ${version}`,
    `Node.js    ${process.version}`,
    `Database   ${await engineVersion(database)}`,
    `System     ${type()} ${release()} ${process.arch}`,
    `Up since   ${new Date(Date.now() - process.uptime() * 1000).toISOString()}`,
  ])
}

/** How much work waits, and how many jobs there are of each state. */
export async function reportQueue(context: GatewayContext): Promise<Output> {
  const { waiting, under_way, oldest_due_at } = await context.queue.depth()
  const counts = await countStates(context.database.db, pausedProviders(context))
  return success([
    `waiting     ${waiting}`,
    `under way   ${under_way}`,
    `oldest due  ${oldest_due_at ?? 'nothing is waiting'}`,
    '',
    ...counts.map(({ backend, state, jobs }) => `${backend.padEnd(12)}${state.padEnd(14)}${jobs}`),
  ])
}

/** Recomputes the hash chain of the audit trail. */
export async function verifyTrail(events: Pick<Events, 'verify'>, signal: AbortSignal): Promise<Output> {
  const { intact, checked, broken_at } = await events.verify(signal)
  if (intact) return success([`${checked} entries verified. The audit chain is intact.`])
  return wrong(`The audit chain is broken at entry ${broken_at}: it was altered, removed or added later.`)
}

const text = `Faxdeck conversion self-test\n\n${'The quick brown fox jumps over the lazy dog 0123456789. '.repeat(40)}\n\f\nSecond page.\n`
const pdfMark = '%PDF-'

async function measured<T>(work: Promise<T>): Promise<{ value: T; took: string }> {
  const begun = performance.now()
  const value = await work
  return { value, took: `${Math.round(performance.now() - begun)} ms` }
}

async function convert(documents: Documents, directory: string, signal: AbortSignal): Promise<Output> {
  const source = Buffer.from(text)
  const target = join(directory, 'pages.tiff')
  const paper = 'letter' as const
  const tiff = await measured(documents.toTiff(source, target, { resolution: 'fine', paper }, signal))
  const back = await measured(documents.tiffToPdf(await readFile(target)))
  signal.throwIfAborted()
  const seen = await measured(documents.inspect(back.value))
  const { pages, bytes } = tiff.value
  if (Buffer.from(back.value.subarray(0, pdfMark.length)).toString('latin1') !== pdfMark) {
    return wrong('The pages did not become a PDF.')
  }
  if (seen.value.pages !== pages) {
    return wrong(`A text of ${pages} pages came back as a PDF of ${seen.value.pages}.`)
  }
  return success([
    `text to fax pages   ${pages} pages, ${bytes} bytes, ${tiff.took}`,
    `fax pages to PDF    ${back.value.byteLength} bytes, ${back.took}`,
    `PDF opened again    ${seen.value.pages} pages, ${seen.took}`,
    'Conversion works.',
  ])
}

/** Sends a text of its own through every conversion that a fax takes, and back. */
export async function testConversion(documents: Documents, signal: AbortSignal): Promise<Output> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-self-test-'))
  try {
    return await convert(documents, directory, signal)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

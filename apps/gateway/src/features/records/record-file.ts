import { DocumentProblem } from '@faxdeck/documents'
import type { GatewayContext } from '../../base/context.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { StorageProblem } from '../../base/storage/storage.ts'
import { readAsSent } from '../../fax/read/document.ts'
import type { Ledger, RecordFile } from './ledger.ts'

/** Where documents lie, addresses that may hold tokens, and what only the gateway's own work needs. */
const internal: ReadonlySet<string> = new Set([
  'document_key',
  'pdf_key',
  'original_key',
  'source',
  'to_reversed',
  'fingerprint',
  'idempotency_key',
  'account',
])
const nested: ReadonlySet<string> = new Set([
  'page_notes',
  'header_line',
  'cover',
  'hold',
  'metadata',
  'call_record',
  'call_options',
  'body',
])

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A row as it is stored, without what is internal. */
export const withoutKeys = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row as Record<string, unknown>)
      .filter(([name]) => !internal.has(name))
      .map(([name, value]) => [name, nested.has(name) && typeof value === 'string' ? parsed(value) : value]),
  )

export const jsonFile = (path: string, value: unknown, at: string): RecordFile => ({
  path,
  content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
  at: new Date(at),
})

const endings: Readonly<Record<string, string>> = { text: 'txt', jpeg: 'jpg' }

/** By what the document is; what a provider sent is stored without a name for it. */
function endingOf({ documents }: GatewayContext, key: string, content: Buffer): string {
  const stored = key.slice(key.lastIndexOf('.') + 1)
  if (stored !== 'original') return endings[stored] ?? stored
  try {
    const kind = documents.kind(content)
    return endings[kind] ?? kind
  } catch {
    return 'bin'
  }
}

/** A document as it is stored, opened; undefined for one that is not there, which the ledger notes. */
export async function documentFile(
  context: GatewayContext,
  ledger: Ledger,
  path: string,
  key: string | null,
  at: string,
): Promise<RecordFile | undefined> {
  if (key === null) {
    ledger.absent.push({ path, why: 'deleted' })
    return undefined
  }
  try {
    const content = await context.storage.get(key)
    ledger.counts.documents += 1
    return { path: `${path}.${endingOf(context, key, content)}`, content, at: new Date(at) }
  } catch (error) {
    if (!(error instanceof StorageProblem) || error.code !== 'missing') throw error
    ledger.absent.push({ path, why: 'missing' })
    return undefined
  }
}

/** A sent fax as it went over the line; undefined for one that was never tried, and when it cannot be drawn any more. */
export async function asSentFile(
  context: GatewayContext,
  ledger: Ledger,
  path: string,
  job: FaxJobRow,
): Promise<RecordFile | undefined> {
  try {
    return { path, content: Buffer.from(await readAsSent(context, job)), at: new Date(job.created_at) }
  } catch (error) {
    // The original is there; an export does not end because of one document.
    if (!(error instanceof DocumentProblem)) throw error
    ledger.absent.push({ path, why: 'undrawable' })
    return undefined
  }
}

import type { PageCode } from '@faxdeck/documents'
import type { Tx, Reader } from '../../base/db/database.ts'
import { codesName, openText, type PageCipher } from './cipher.ts'
import type { PageReadingRow } from '../../base/db/tables/pages.ts'

/** The codes of faxes, as far as they were read. A fax that is not among them has none, or waits to be read. */
export async function readCodes(db: Reader, faxIds: readonly string[]): Promise<Map<string, PageCode[]>> {
  if (faxIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('page_readings')
    .select(['fax_id', 'codes'])
    .where('fax_id', 'in', faxIds)
    .where('codes', '<>', '[]')
    .execute()
  return new Map(
    rows.map(({ fax_id, codes }) => [fax_id, JSON.parse(openText(codesName(fax_id), codes)) as PageCode[]]),
  )
}

interface Reading {
  state: PageReadingRow['state']
  codes?: readonly PageCode[] | undefined
  /** Seals the codes, which are part of what the page says. */
  cipher?: PageCipher | undefined
  at: Date
}

/** None is no secret, and is asked for. */
function storedCodes(faxId: string, codes: readonly PageCode[], cipher: PageCipher | undefined): string {
  const text = JSON.stringify(codes)
  return cipher && codes.length > 0 ? cipher.seal(codesName(faxId), text) : text
}

/** Keeps what is known of the reading of a fax; codes that are left out stay as they were. */
export async function keepReading(tx: Tx, faxId: string, { state, codes, cipher, at }: Reading): Promise<void> {
  const updated_at = at.toISOString()
  const known = codes === undefined ? {} : { codes: storedCodes(faxId, codes, cipher) }
  await tx
    .insertInto('page_readings')
    .values({ fax_id: faxId, state, codes: '[]', updated_at, ...known })
    .onConflict((conflict) => conflict.column('fax_id').doUpdateSet({ state, updated_at, ...known }))
    .execute()
}

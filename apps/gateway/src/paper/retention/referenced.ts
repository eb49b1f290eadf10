import type { Kysely } from 'kysely'
import type { Tables } from '../../base/db/tables/tables.ts'
import { type Folder, ownerOf } from '../../base/storage/keys.ts'

type Db = Kysely<Tables>
type Find = (db: Db, keys: readonly string[], owners: readonly string[]) => Promise<(string | null)[]>

/** What waits for a person is asked about before the faxes, which it becomes in one transaction: so it is never missed. */
const ofFaxes: Find = async (db, keys, owners) => {
  const requests = db
    .selectFrom('fax_approvals')
    .select('document_key')
    .where(
      'id',
      'in',
      owners.map((id) => `apr_${id}`),
    )
  const waiting = await requests.execute()
  const jobs = await db.selectFrom('fax_jobs').select('document_key').where('id', 'in', owners).execute()
  const resent = await db
    .selectFrom('fax_jobs')
    .select('document_key')
    .where('document_key', 'in', keys)
    .where('parent_id', 'is not', null)
    .execute()
  const broadcast = await db
    .selectFrom('fax_jobs')
    .select('document_key')
    .distinct()
    .where('document_key', 'in', keys)
    .where('broadcast_id', 'is not', null)
    .execute()
  return [...waiting, ...jobs, ...resent, ...broadcast].map(({ document_key: key }) => key)
}

const ofInbound: Find = async (db, _keys, owners) => {
  const rows = await db
    .selectFrom('inbound_faxes')
    .select(['pdf_key', 'original_key'])
    .where('id', 'in', owners)
    .execute()
  return rows.flatMap(({ pdf_key: pdf, original_key: original }) => [pdf, original])
}

const ofUploads: Find = async (db, _keys, owners) => {
  const rows = await db
    .selectFrom('fax_uploads')
    .select('document_key')
    .where(
      'id',
      'in',
      owners.map((id) => `upl_${id}`),
    )
    .execute()
  return rows.map(({ document_key: key }) => key)
}

const finds: Record<Folder, Find> = { faxes: ofFaxes, inbound: ofInbound, uploads: ofUploads }

/** Those of the keys of a folder that some row refers to. */
export async function findReferenced(db: Db, folder: Folder, keys: readonly string[]): Promise<Set<string>> {
  const owners = [...new Set(keys.map(ownerOf))]
  const found = new Set(await finds[folder](db, keys, owners))
  return new Set(keys.filter((key) => found.has(key)))
}

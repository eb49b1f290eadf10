import { type Folder, ownerOf } from '../../base/storage/keys.ts'
import type { Reader } from '../../base/db/database.ts'

type Find = (db: Reader, keys: readonly string[], owners: readonly string[]) => Promise<(string | null)[]>

/** What waits for a person is asked about before the faxes, which it becomes in one transaction: so it is never missed. */
const ofFaxes: Find = async (db, keys, owners) => {
  const approvals = owners.map((id) => `apr_${id}`)
  const waiting = await db.selectFrom('fax_approvals').select('document_key').where('id', 'in', approvals).execute()
  const jobs = db.selectFrom('fax_jobs').select('document_key')
  const own = await jobs.where('id', 'in', owners).execute()
  const shared = jobs.where('document_key', 'in', keys)
  const resent = await shared.where('parent_id', 'is not', null).execute()
  const broadcast = await shared.distinct().where('broadcast_id', 'is not', null).execute()
  return [...waiting, ...own, ...resent, ...broadcast].map(({ document_key: key }) => key)
}

const ofInbound: Find = async (db, _keys, owners) => {
  const faxes = db.selectFrom('inbound_faxes').select(['pdf_key', 'original_key']).where('id', 'in', owners)
  return (await faxes.execute()).flatMap(({ pdf_key: pdf, original_key: original }) => [pdf, original])
}

const ofUploads: Find = async (db, _keys, owners) => {
  const ids = owners.map((id) => `upl_${id}`)
  const rows = await db.selectFrom('fax_uploads').select('document_key').where('id', 'in', ids).execute()
  return rows.map(({ document_key: key }) => key)
}

const finds: Record<Folder, Find> = { faxes: ofFaxes, inbound: ofInbound, uploads: ofUploads }

/** Those of the keys of a folder that some row refers to. */
export async function findReferenced(db: Reader, folder: Folder, keys: readonly string[]): Promise<Set<string>> {
  const owners = [...new Set(keys.map(ownerOf))]
  const found = new Set(await finds[folder](db, keys, owners))
  return new Set(keys.filter((key) => found.has(key)))
}

import { setImmediate as turn } from 'node:timers/promises'
import type { GatewayContext } from '../../base/context.ts'
import { encryptStored } from '../../base/encryption/encrypt-storage.ts'
import { folders } from '../../base/storage/keys.ts'
import type { Storage } from '../../base/storage/storage.ts'
import { findReferenced } from '../../paper/retention/referenced.ts'

const atOnce = 500

/** Those of the documents that this database refers to and that are not encrypted. Others may share the place. */
async function plainOnes(
  { database, documentKeys }: GatewayContext,
  folder: (typeof folders)[number],
  names: readonly string[],
) {
  const ours = await findReferenced(database.db, folder, names)
  const encrypted = await documentKeys.known(names)
  return names.filter((name) => ours.has(name) && !encrypted.has(name))
}

/** How many documents this database refers to and has no key for: a little more than lie there as they were put. */
export async function countPlain({ database: { db } }: GatewayContext): Promise<number> {
  const keys = db.selectFrom('fax_jobs').select('document_key as key')
  const all = keys
    .union(db.selectFrom('fax_approvals').select('document_key as key'))
    .union(db.selectFrom('fax_uploads').select('document_key as key'))
    .union(db.selectFrom('inbound_faxes').select('pdf_key as key'))
    .union(db.selectFrom('inbound_faxes').select('original_key as key'))
  const sealed = db.selectFrom('document_keys').select('document_key').where('state', '=', 'sealed')
  const plain = db.selectFrom(all.as('documents')).where('key', 'is not', null).where('key', 'not in', sealed)
  return Number((await plain.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
}

/**
 * Encrypts the documents that were put before encryption was turned on, one after the other. What was done when it ends
 * early stays done. Safe in several processes at once.
 * @param places the storage as it is, without encryption
 * @param onLooked called after each that was not known to be encrypted
 * @returns how many were encrypted
 */
export async function encryptPlain(
  context: GatewayContext,
  places: Storage,
  { signal, onLooked }: { signal: AbortSignal; onLooked: () => void },
): Promise<number> {
  const { documentKeys } = context
  let encrypted = 0
  for (const folder of folders) {
    for await (const page of places.list(folder)) {
      for (let from = 0; from < page.length; from += atOnce) {
        for (const name of await plainOnes(context, folder, page.slice(from, from + atOnce))) {
          if (signal.aborted || !(await documentKeys.isOn())) return encrypted
          if (await encryptStored(places, documentKeys, name)) encrypted += 1
          onLooked()
          await turn()
        }
      }
    }
  }
  // Another process may have stored something as it was until a moment ago: only a round that finds nothing is the last.
  if (encrypted === 0) await documentKeys.setEncrypted()
  return encrypted
}

import { setImmediate as turn } from 'node:timers/promises'
import type { GatewayContext } from '../context.ts'
import { encryptStored } from './encrypt-storage.ts'
import { folders } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { findReferenced } from '../strays/referenced.ts'

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

/**
 * Encrypts the documents that were put before encryption was turned on, one after the other. What was done when it ends
 * early stays done. Safe in several processes at once.
 * @param places the storage as it is, without encryption
 * @returns how many were encrypted
 */
export async function encryptPlain(context: GatewayContext, places: Storage, signal: AbortSignal): Promise<number> {
  const { documentKeys, log } = context
  let encrypted = 0
  for (const folder of folders) {
    for await (const page of places.list(folder)) {
      for (let from = 0; from < page.length; from += atOnce) {
        for (const name of await plainOnes(context, folder, page.slice(from, from + atOnce))) {
          if (signal.aborted || !(await documentKeys.isOn())) return encrypted
          if (!(await encryptStored(places, documentKeys, name))) continue
          encrypted += 1
          if (encrypted % 1000 === 0) log.info({ encrypted }, 'Stored documents are being encrypted.')
          await turn()
        }
      }
    }
  }
  // Another process may have stored something as it was until a moment ago: only a round that finds nothing is the last.
  if (encrypted === 0) await documentKeys.setPlain(false)
  return encrypted
}

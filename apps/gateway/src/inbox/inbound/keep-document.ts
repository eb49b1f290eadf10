import type { IncomingFax } from '@faxdeck/provider-kit'
import { markOf } from '../../base/db/mark.ts'
import { newKey } from '../../base/storage/keys.ts'
import type { GatewayContext } from '../../base/context.ts'
import { readInside } from './read-inside.ts'

/** Stores a document that came with its notice. Tells where it is kept; null when it was not pushed. */
export async function keepPushedDocument(
  context: GatewayContext,
  id: string,
  document: IncomingFax['document'],
): Promise<string | null> {
  if (document === null || 'fetch' in document) return null
  const bytes =
    'bytes' in document ? document.bytes : await readInside(context.settings.current().fax_data_dir, document.path)
  const key = newKey('inbound', id, await markOf(context.database), 'original')
  await context.storage.put(key, bytes)
  return key
}

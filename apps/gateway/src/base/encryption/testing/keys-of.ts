import type { Database } from '../../db/database.ts'
import { sealsOf } from '../../settings/seal.ts'
import { DocumentKeys } from '../document-keys.ts'

/** The keys of a database's documents, as one process of an installation has them. */
export function keysOf(
  database: Database,
  { master = Buffer.alloc(32, 7), choice = () => 'on' }: { master?: Buffer; choice?: () => 'auto' | 'on' | 'off' } = {},
): DocumentKeys {
  return new DocumentKeys({ database, seals: sealsOf(master), choice, now: () => new Date() })
}

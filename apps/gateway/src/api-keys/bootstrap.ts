import { join } from 'node:path'
import { readOrMakeSecret } from '../settings/secret-file.ts'
import { newKeyId, newToken } from './token.ts'

/** The key that may do everything, and where a person finds it. */
export interface BootstrapKey {
  key: string
  /** The file it is kept in; null when the environment gives it. */
  file: string | null
  /** Made just now. */
  isNew: boolean
}

/**
 * The key of API_KEY, or the one in the data directory, which is made at the first start.
 * @throws when the file cannot be read or written
 */
export function bootstrapKey(given: string | null, dataDirectory: string): BootstrapKey {
  if (given !== null) return { key: given, file: null, isNew: false }
  const file = join(dataDirectory, 'bootstrap-key')
  const { secret, isNew } = readOrMakeSecret(file, () => newToken(newKeyId()))
  return { key: secret, file, isNew }
}

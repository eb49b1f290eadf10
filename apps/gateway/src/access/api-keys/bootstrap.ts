import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOrMakeSecret, replaceSecretFile } from '../../base/settings/secret-file.ts'
import { keyIdOf, newKeyId, newToken } from './token.ts'

/** The key that may do everything, and where a person finds it. */
export interface BootstrapKey {
  readonly key: string
  /** The file it is kept in; null when the environment gives it. */
  file: string | null
  /** Made just now. */
  isNew: boolean
  /** Reads the file again: another process may have replaced the key. */
  refresh: () => void
  /** Puts another token in its place. Only for a key that has a file. */
  replace: (token: string) => void
}

/**
 * The key of API_KEY, or the one in the data directory, which is made at the first start.
 * @throws when the file cannot be read or written
 */
export function bootstrapKey(given: string | null, dataDirectory: string): BootstrapKey {
  const nothing = () => undefined
  if (given !== null) return { key: given, file: null, isNew: false, refresh: nothing, replace: nothing }
  const file = join(dataDirectory, 'bootstrap-key')
  const { secret, isNew } = readOrMakeSecret(file, () => newToken(newKeyId()))
  let key = secret
  return {
    get key() {
      return key
    },
    file,
    isNew,
    refresh: () => {
      key = readFileSync(file, 'utf8').trim() || key
    },
    replace: (token) => {
      replaceSecretFile(file, token)
      key = token
    },
  }
}

/** Whether an id names the bootstrap key: `bootstrap`, or the id in its token. */
export const isBootstrapId = ({ key }: BootstrapKey, id: string): boolean => keyIdOf(key) === id

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether a data directory belongs to no installation yet: it has neither settings nor a database.
 * @param {string} dataDirectory
 */
export function isFirstStart(dataDirectory) {
  return !['faxdeck.env', 'faxdeck.db'].some((name) => existsSync(join(dataDirectory, name)))
}

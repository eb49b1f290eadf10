import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether a data directory belongs to no installation yet: it has neither settings nor a database, no backup is just
 * restored to it, and no other data directory is missing. The gateway refuses to start without that one.
 * @param {string} dataDirectory
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function isFirstStart(dataDirectory, env) {
  const has = (name) => existsSync(join(dataDirectory, name))
  if (['faxdeck.env', 'faxdeck.db', 'restored'].some(has)) return false
  if (/^(true|1|yes|on)$/i.test(env.FAX_NEW_INSTALLATION?.trim() ?? '')) return true
  const state = env.FAX_STATE_DIR?.trim()
  return !has('restoring') && !(state && existsSync(join(state, 'data-directory')))
}

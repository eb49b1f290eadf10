import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'

/**
 * Where compiled code is kept between runs. None for a user without a home, as in a container: nowhere else is a place
 * that only they can write. None inside of the data directory either, the home of a service's user: it is no data.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string | undefined}
 */
export function cacheFolder(env) {
  const base = env.XDG_CACHE_HOME || homeCache()
  if (base === undefined) return undefined
  const folder = resolve(base, 'faxdeck')
  const data = env.FAX_DATA_DIR?.trim()
  return data && !relative(resolve(data), folder).startsWith('..') ? undefined : folder
}

function homeCache() {
  try {
    return join(homedir(), '.cache')
  } catch {
    return undefined
  }
}

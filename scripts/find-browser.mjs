import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const macOs = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/**
 * The Chromium or Chrome that browser tests drive: `CHROME_PATH`, else an installed one.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} path of the program; none means that browser tests are skipped
 */
export function findBrowser(env = process.env) {
  if (env.CHROME_PATH) return findProgram(env.CHROME_PATH, env)
  return [...names, macOs].map((name) => findProgram(name, env)).find(Boolean)
}

/**
 * @param {string} name a name to look up in PATH and where a system keeps its daemons, or an absolute path
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} its absolute path, when it is there and may be run
 */
export function findProgram(name, env = process.env) {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  const places = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))
  return places.find(mayBeRun)
}

function mayBeRun(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

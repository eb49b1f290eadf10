import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const stampName = '.faxdeck-setup.json'

/**
 * Whether a derived folder (`node_modules`, `dist`) was completed from exactly this input.
 * @param {string} folder
 * @param {string} hash of the input
 */
export function isStamped(folder, hash) {
  try {
    return JSON.parse(readFileSync(join(folder, stampName), 'utf8')).hash === hash
  } catch {
    return false // no stamp, or one cut short: the folder is made again
  }
}

/**
 * Marks a derived folder as complete; to be called last, so that an interrupted run leaves no stamp.
 * @param {string} folder
 * @param {string} hash of the input
 */
export function writeStamp(folder, hash) {
  writeFileSync(join(folder, stampName), `${JSON.stringify({ hash })}\n`)
}

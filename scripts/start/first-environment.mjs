import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Problem } from '../problem.mjs'

const firstEnvironment = `# Written by the first start: faxes go to the built-in test line and nothing leaves this machine.
# Set up a provider, then remove FAX_DISABLED.
FAX_DISABLED=true
INBOUND_ENABLED=true
`

/**
 * Gives a fresh installation its settings file, once: a data directory that has one, or that has a database, is left as it is.
 * @param {string} dataDirectory
 * @returns {boolean} whether the file was written
 * @throws {Problem} when the directory cannot be written
 */
export function writeFirstEnvironment(dataDirectory) {
  const file = join(dataDirectory, 'faxdeck.env')
  if (existsSync(file) || existsSync(join(dataDirectory, 'faxdeck.db'))) return false
  try {
    makeDirectory(dataDirectory)
    const unfinished = `${file}.${process.pid}`
    writeFileSync(unfinished, firstEnvironment, { mode: 0o600 })
    renameSync(unfinished, file)
  } catch (error) {
    throw new Problem(
      `The data directory ${dataDirectory} cannot be written (${error.code}): make it writable for this user, or set FAX_DATA_DIR to another folder.`,
    )
  }
  return true
}

// Node's own recursive mkdir never returns where the parent exists and refuses, as below /proc.
function makeDirectory(path) {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

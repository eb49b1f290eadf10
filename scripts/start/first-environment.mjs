import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Problem } from '../problem.mjs'
import { isFirstStart } from './first-start.mjs'
import { providerNamedBy } from './named-provider.mjs'

const testLine = `# Written by the first start: faxes go to the built-in test line and nothing leaves this machine.
# Set up a provider, then remove FAX_DISABLED.
FAX_DISABLED=true
INBOUND_ENABLED=true
`

const realLine = `# Written by the first start. Faxes are real: the environment names a provider, so the test line stays off.
# FAX_DISABLED=true would send every fax to the built-in test line instead.
INBOUND_ENABLED=true
`

/** @param {string} id */
const chosen = (id) => `# The provider whose account the environment has.
FAX_BACKEND=${id}
`

/**
 * Gives a fresh installation its settings file, once: a data directory that has one, or that has a database, is left as
 * it is. The test line is only turned on where the environment names no provider: an account that is incomplete is said
 * at the start, and never replaced by a line that delivers nothing.
 * @param {string} dataDirectory
 * @param {Readonly<Record<string, string | undefined>>} [env]
 * @returns {boolean} whether the file was written
 * @throws {Problem} when the directory cannot be written
 */
export function writeFirstEnvironment(dataDirectory, env = {}) {
  if (!isFirstStart(dataDirectory, env)) return false
  const file = join(dataDirectory, 'faxdeck.env')
  const { isReal, backend } = providerNamedBy(env)
  const text = (isReal ? realLine : testLine) + (backend === undefined ? '' : chosen(backend))
  try {
    makeDirectory(dataDirectory)
    const unfinished = `${file}.${process.pid}`
    writeFileSync(unfinished, text, { mode: 0o600 })
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

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Values } from '@faxdeck/settings'
import type { Logger } from 'pino'
import { sqlitePathOf } from '../base/db/sqlite.ts'
import { StartProblem } from '../base/settings/start-problem.ts'

/** scripts/start/first-start.mjs looks for it too. */
const noteIn = (stateDirectory: string) => join(stateDirectory, 'data-directory')

export const wayToBegin =
  'To begin an empty installation instead, start once with --new, or with FAX_NEW_INSTALLATION=true.'

/** Where an earlier start had its data; undefined on the first one, or where no state directory is set. */
function formerDirectory(stateDirectory: unknown): string | undefined {
  if (typeof stateDirectory !== 'string') return undefined
  const note = noteIn(stateDirectory)
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined
}

/**
 * Before anything is made in the data directory: a database that is not there is made at the first start only. Later its
 * disk is not mounted, or it was lost.
 * @throws {StartProblem}
 */
export function refuseLostData(values: Values, log: Pick<Logger, 'warn'>): void {
  const url = String(values.database_url)
  const path = url.startsWith('sqlite:') ? sqlitePathOf(url) : null
  const isThere = path !== null && existsSync(path)
  if (values.fax_new_installation === true) {
    if (isThere)
      log.warn('FAX_NEW_INSTALLATION is still set. Remove it, so that a start without the data is refused again.')
    return
  }
  const former = formerDirectory(values.fax_state_dir)
  if (former === undefined || path === null || isThere) return
  throw new StartProblem(
    `This installation had its data in ${former}, but there is no database at ${path}. Mount its disk, correct FAX_DATA_DIR, or restore a backup with "faxdeck restore".`,
    wayToBegin,
  )
}

/** Once a start has succeeded: notes where the data is, outside of it. */
export function noteDataDirectory(directory: string, values: Values, log: Pick<Logger, 'warn'>): void {
  const { fax_state_dir: place } = values
  if (typeof place !== 'string' || formerDirectory(place) === directory) return
  const note = noteIn(place)
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    writeFileSync(`${note}.tmp`, `${directory}\n`, { mode: 0o600 })
    renameSync(`${note}.tmp`, note)
  } catch (error) {
    log.warn({ err: error }, 'FAX_STATE_DIR cannot be written, so a start without the data would not be noticed.')
  }
}

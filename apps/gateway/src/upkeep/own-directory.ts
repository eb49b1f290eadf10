import { statSync } from 'node:fs'
import { UpkeepProblem } from './copy.ts'

/**
 * Before files are written for a gateway: what root writes is root's, and a gateway of another user could not read it.
 * @param directory the data directory, which is there
 * @param userId who runs this; undefined where the system has no such ids
 * @throws {UpkeepProblem} for root, when the directory belongs to another user
 */
export function assertOwn(directory: string, userId = process.getuid?.()): void {
  if (userId !== 0 || statSync(directory).uid === 0) return
  throw new UpkeepProblem(
    `${directory} belongs to another user, whose gateway could not read what root writes there. Run this as that user: sudo -u faxdeck faxdeck …`,
  )
}

import { Problem } from '../http/problem.ts'
import { advance } from './advance.ts'
import type { FaxDoors } from './doors.ts'

/** A person lets a held fax be sent. Safe to repeat: one that is not held stays as it is. @throws {Problem} `fax_not_found` */
export async function releaseFax(doors: FaxDoors, id: string, by: string): Promise<void> {
  if (!(await advance(doors, id, { to: 'released', by }))) throw new Problem('fax_not_found')
}

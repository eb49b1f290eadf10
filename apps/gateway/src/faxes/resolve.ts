import { Problem } from '../http/problem.ts'
import { advance } from './advance.ts'
import type { FaxDoors } from './doors.ts'
import { requireJob } from './read-job.ts'

/** A person decides what became of an uncertain fax. @throws {Problem} `conflict` when it is not uncertain */
export async function resolveFax(
  doors: FaxDoors,
  id: string,
  outcome: 'delivered' | 'failed' | 'send_again',
  by: string,
): Promise<void> {
  const { attempt_id: attemptId } = await requireJob(doors, id)
  const moved = attemptId === null ? undefined : await advance(doors, id, { to: 'resolved', attemptId, outcome, by })
  if (moved?.verdict !== 'applies')
    throw new Problem('conflict', 'Only a fax whose outcome is not known can be decided.')
}

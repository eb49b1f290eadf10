import { randomBytes } from 'node:crypto'
import { Problem } from '../http/problem.ts'
import type { Accepted, NewJob } from './accept.ts'
import type { FaxDoors } from './doors.ts'
import { requireJob } from './read-job.ts'

/**
 * Sends a fax that has ended again: a new job that names it as its parent and shares its document.
 * @throws {Problem} `conflict` while it is under way, `document_not_found` once the document was removed
 */
export async function resendFax(
  doors: FaxDoors,
  accept: (job: NewJob) => Promise<Accepted>,
  id: string,
  by: string,
): Promise<string> {
  const parent = await requireJob(doors, id)
  if (parent.finished_at === null) throw new Problem('conflict', 'The fax is still under way.')
  if (parent.document_key === null) throw new Problem('document_not_found')
  const provider = doors.providers.outbound()
  doors.providers.line(provider.id)
  const at = doors.now().toISOString()
  const row = {
    ...parent,
    id: randomBytes(16).toString('hex'),
    status: 'queued',
    phase: 'queued',
    backend: provider.id,
    pages_confirmed: null,
    error: null,
    error_kind: null,
    attempt_count: 0,
    next_try_at: null,
    attempt_id: null,
    provider_id: null,
    header_line: null,
    caller_key_id: by,
    parent_id: parent.id,
    created_at: at,
    updated_at: at,
    finished_at: null,
  } as const
  const { job } = await accept({ row, sentence: 'A person sends an earlier fax again.' })
  await doors.events.jobResent({ job_id: job.id, backend: job.backend, key_id: by, parent_id: parent.id })
  return job.id
}

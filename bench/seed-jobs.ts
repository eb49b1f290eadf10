import { randomBytes } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { reverseDigits } from '../apps/gateway/src/base/number.ts'

const statuses = ['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'FAILED', 'queued'] as const
const phases = { SUCCESS: 'delivered', FAILED: 'failed', queued: 'queued' } as const

/**
 * Adds jobs number `from` to `to`, a second apart, with the counts that go with them.
 * @param path of a SQLite database with the gateway's tables
 * @param ended no job among them waits to be sent
 * @param uncertainEach one of so many waits for a person; none when 0
 */
export function seedJobs(path: string, from: number, to: number, { ended = false, uncertainEach = 0 } = {}): void {
  const raw = new Sqlite(path)
  raw.pragma('synchronous = off')
  const insert = raw.prepare(
    `insert into fax_jobs (id, to_number, to_reversed, status, phase, backend, pages, error, attempt_count, document_kind,
     document_sha256, size_bytes, file_name, caller_key_id, created_at, updated_at, finished_at)
     values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
  )
  const count = raw.prepare(
    `insert into job_counts (backend, status, jobs) values (?, ?, 1) on conflict (backend, status) do update set jobs = jobs + 1`,
  )
  const known = ended ? statuses.slice(0, -1) : statuses
  raw.transaction(() => {
    for (let n = from; n < to; n++) {
      const status = known[n % known.length] ?? 'SUCCESS'
      const isUncertain = uncertainEach > 0 && n % uncertainEach === 0
      const number = `+1555${String(1_000_000 + ((n * 7919) % 9_000_000))}`
      const at = new Date(Date.UTC(2025, 0, 1) + n * 1000).toISOString()
      const backend = n % 3 === 0 ? 'sinch' : 'phaxio'
      const error = status === 'FAILED' ? 'Busy, 4 attempts' : null
      const id = randomBytes(16).toString('hex')
      const updated = new Date(Date.UTC(2025, 0, 1) + n * 1000 + (((n * 104_729) % 3600) + 20) * 1000).toISOString()
      const pages = 1 + ((n * 31) % 60)
      const stands = isUncertain ? (['in_progress', 'uncertain'] as const) : ([status, phases[status]] as const)
      const facts = [number, reverseDigits(number), ...stands, backend, pages, error, 1]
      const ended = stands[0] === 'SUCCESS' || stands[0] === 'FAILED' ? updated : null
      insert.run(id, ...facts, 'pdf', id, 30_000, `referral-${n}.pdf`, 'bench', at, updated, ended)
      count.run(backend, stands[0])
      if (isUncertain) count.run(backend, 'attention')
    }
  })()
  raw.exec('analyze')
  raw.close()
}

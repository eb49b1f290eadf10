import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Database } from '../base/db/database.ts'
import type { FaxJobRow } from '../base/db/tables/tables.ts'
import { transact } from '../base/db/transact.ts'
import { Events } from '../base/events/events.ts'
import { acceptJob, type NewJob } from '../fax/accept/accept.ts'
import { newKey } from '../base/storage/keys.ts'
import { faxHandler } from '../fax/line/work.ts'
import { reverseDigits } from '../base/number.ts'
import { Problem } from '../base/http/answers/problem.ts'
import { Breakers } from '../base/providers/breakers.ts'
import { createQueue } from '../base/queue/create-queue.ts'
import type { Claim } from '../base/queue/queue.ts'
import { createLocalStorage } from '../base/storage/local.ts'
import type { MadeLine } from './made-line.ts'
import { fixedSettings, testContext } from './test-context.ts'
import { sealsOf } from '../base/settings/seal.ts'
import type { SettingsInForce } from '../base/settings/settings.ts'
import { shareDocuments } from './shared-documents.ts'

const settings = {
  default_country: 'US',
  fax_cover: 'none',
  fax_header: null,
  fax_header_number: null,
  time_zone: null,
  public_api_url: 'https://fax.example.test',
  pdf_token_ttl_minutes: 60,
  artifact_ttl_days: 1,
  fax_paper: 'letter',
  fax_resolution: 'fine',
  retry_busy_times: 3,
  retry_busy_minutes: 3,
  retry_no_answer_times: 2,
  retry_no_answer_minutes: 5,
  retry_line_error_times: 2,
  retry_line_error_minutes: 2,
  retry_unreachable_first_seconds: 30,
  retry_unreachable_longest_seconds: 3600,
  retry_unreachable_hours: 24,
  pause_after_failures: 5,
  pause_first_seconds: 30,
}

export const deskStart = Date.parse('2026-03-01T12:00:00.000Z')

const text = Buffer.from('Dear colleague,\nplease find the results below.\n')

/** A job as a submission makes it. */
export function newJob(change: Partial<FaxJobRow> = {}): FaxJobRow {
  const id = randomBytes(16).toString('hex')
  const to = change.to_number ?? '+15555550123'
  const at = new Date(deskStart).toISOString()
  return {
    id,
    to_number: to,
    to_reversed: reverseDigits(to),
    status: 'queued',
    phase: 'queued',
    backend: 'made',
    pages: 1,
    pages_confirmed: null,
    error: null,
    error_kind: null,
    attempt_count: 0,
    next_try_at: null,
    attempt_id: null,
    provider_id: null,
    document_kind: 'text',
    document_key: newKey('faxes', id, '00000000', 'text'),
    document_sha256: '',
    tones: 'auto',
    unreadable: 'refuse',
    page_notes: null,
    broadcast_id: null,
    group_id: null,
    is_test: 0,
    header_line: null,
    cover: null,
    size_bytes: text.length,
    file_name: null,
    caller_key_id: 'test',
    parent_id: null,
    hold: null,
    reference: null,
    metadata: null,
    created_at: at,
    updated_at: at,
    finished_at: null,
    ...change,
  }
}

/**
 * Sending without HTTP, over a made line, with a clock that moves when told.
 * @param standIn sends while sending through the first one is paused
 */
export async function faxDesk(database: Database, made: MadeLine, standIn?: MadeLine) {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-desk-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'previews'))
  const documents = shareDocuments({ threads: 1 })
  const clock = { ms: deskStart }
  const now = () => new Date(clock.ms)
  const lines = standIn ? [made, standIn] : [made]
  const lineOf = (id: string) => lines.find(({ provider }) => provider.id === id)
  const context = testContext({
    database,
    storage: createLocalStorage(join(directory, 'documents')),
    queue: createQueue({ database, now, leaseMs: 15_000 }),
    events: new Events(database, now),
    documents,
    providers: {
      providers: lines.map(({ provider }) => provider),
      find: (id) => lineOf(id)?.provider,
      outbound: () => made.provider,
      inbound: () => made.provider,
      line: (id) => {
        const found = lineOf(id)
        if (found) return found.line
        throw new Problem('provider_not_configured', `There is no provider "${id}".`)
      },
      opened: (id) => lineOf(id)?.line,
      standIn: (id) => (id === made.provider.id ? standIn?.provider : undefined),
      account: (id) => lineOf(id)?.account ?? null,
      isTestAccount: (id) => lineOf(id)?.provider.isTestAccount?.({}) ?? false,
      clock: (id) => lineOf(id)?.clock?.(),
      concurrency: () => 10,
      bypassed: () => undefined,
      problemOf: () => undefined,
      settingsOf: () => ({}),
      hostOf: () => undefined as never,
      probingHostOf: () => undefined as never,
    },
    breakers: new Breakers({ settings: () => settings, now, elapsed: () => now().getTime() }),
    settings: fixedSettings(settings as Partial<SettingsInForce>, { seals: sealsOf(Buffer.alloc(32)) }),
    directory,
    now,
  })
  const accept = (job: NewJob) => acceptJob(context, job)
  const handler = faxHandler(context)
  const claimOne = async (): Promise<Claim | undefined> => {
    for (const { provider } of lines) {
      const { claims } = await context.queue.claim(provider.id, 10, 1)
      if (claims[0]) return claims[0]
    }
    return undefined
  }
  return {
    context,
    accept,
    claimOne,
    pass: (ms: number) => (clock.ms += ms),
    submit: async (change: Partial<FaxJobRow> = {}) => {
      const row = newJob(change)
      if (row.document_key) await context.storage.put(row.document_key, text)
      return (await accept({ row, sentence: 'Accepted: 1 page.' })).job
    },
    /** Does the next piece of work that is due, as a worker would; false when there is none. */
    work: async (signal = new AbortController().signal) => {
      const claim = await claimOne()
      if (!claim) return false
      const dueAt = await handler(claim, signal)
      if (dueAt) {
        await transact(database, (tx) => context.queue.reschedule(tx, claim, { dueAt, hold: true }))
      }
      return true
    },
    jobOf: (id: string) =>
      database.db.selectFrom('fax_jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  }
}

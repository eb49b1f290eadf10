import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocuments, type Documents } from '@faxdeck/documents'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { noGroup } from '../../access/groups/group-of.ts'
import type { Database } from '../../base/db/database.ts'
import { Events } from '../../base/events/events.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { createQueue } from '../../base/queue/create-queue.ts'
import { createLocalStorage } from '../../base/storage/local.ts'
import type { ProviderAccess } from '../../base/providers/access.ts'
import { problemOf } from '../../base/http/answers/errors.ts'
import { fixedSettings, testContext } from '../../testing/test-context.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { countJobs } from '../read/job-filter.ts'
import { type Submission, submitFax } from './submit.ts'

let documents: Documents
beforeAll(() => {
  documents = createDocuments()
})
afterAll(() => documents.close())

const text = { fileName: 'letter.txt', bytes: Buffer.from('Dear colleague,\nplease find the results below.\n') }
const plain = {
  to: '+15555550123',
  tones: 'auto' as const,
  cover: {},
  group: noGroup,
  file: text,
  callerKeyId: 'k1',
  idempotencyKey: undefined,
}

async function desk(database: Database, missing?: string) {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-submit-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const storage = createLocalStorage(directory)
  const clock = { aheadMs: 0 }
  const now = () => new Date(Date.now() + clock.aheadMs)
  const queue = createQueue({ database, now, leaseMs: 60_000, byServer: true })
  const line = () => {
    if (missing) throw new Problem('provider_not_configured', missing)
  }
  const context = testContext({
    database,
    storage,
    queue,
    documents,
    events: new Events(database, now),
    providers: {
      outbound: () => ({ id: 'testline' }),
      line,
      isTestAccount: () => false,
      find: () => undefined,
    } as unknown as ProviderAccess,
    settings: fixedSettings({ default_country: 'US', fax_cover: 'none', max_file_size_mb: 20 }),
    now,
  })
  const submit = (submission: Submission) => submitFax(context, submission)
  const stored = async () => (await readdir(directory, { recursive: true })).filter((name) => name.includes('.'))
  const rows = (table: 'fax_jobs' | 'queue' | 'fax_timeline' | 'audit_events') =>
    database.db.selectFrom(table).selectAll().execute()
  return { submit, storage, stored, rows, queue, clock }
}

onEachDatabase((open) => {
  describe('a submission', () => {
    it('is a job, its work, its timeline, its event, its count and its document, all at once', async () => {
      const database = await open()
      const { submit, storage, rows } = await desk(database)
      const { job } = await submit({ ...plain, to: '(555) 555-0123' })
      expect(job).toMatchObject({ to_number: '+15555550123', status: 'queued', pages: 1, document_kind: 'text' })
      expect(await storage.get(job.document_key ?? '')).toEqual(text.bytes)
      expect(await rows('queue')).toMatchObject([{ subject_id: job.id, lane: 'testline', exclusive: '+15555550123' }])
      expect(await rows('fax_timeline')).toMatchObject([{ job_id: job.id, sentence: 'Accepted: 1 page.' }])
      expect(await rows('audit_events')).toMatchObject([{ event: 'job_created', job_id: job.id }])
      expect(await countJobs(database.db, { status: 'queued' })).toEqual({ total: 1, isMinimum: false })
    })

    it.each([
      ['a bad number', { to: '12' }, 'bad_number'],
      ['no file', { file: undefined }, 'file_missing'],
      ['an empty file', { file: { fileName: 'a.pdf', bytes: Buffer.alloc(0) } }, 'bad_document'],
      ['junk', { file: { fileName: 'a.pdf', bytes: Buffer.from([0, 255, 1, 254]) } }, 'unsupported_document'],
      ['a broken PDF', { file: { fileName: 'a.pdf', bytes: Buffer.from('%PDF-1.4\n%broken') } }, 'bad_document'],
      ['an endless key', { idempotencyKey: 'k'.repeat(300) }, 'bad_request'],
    ])('with %s is refused and leaves nothing', async (_name, change, code) => {
      const { submit, stored, rows } = await desk(await open())
      const refused = await submit({ ...plain, ...change }).catch(problemOf)
      expect(refused).toMatchObject({ name: 'Problem', code })
      expect(await rows('fax_jobs')).toEqual([])
      expect(await stored()).toEqual([])
    })

    it('is due at once, also when the clock is set back before it is kept', async () => {
      const { submit, storage, queue, clock } = await desk(await open())
      const { put } = storage
      storage.put = async (...document) => {
        await put(...document)
        clock.aheadMs = 0
      }
      clock.aheadMs = 660_000
      const { job } = await submit(plain)
      expect((await queue.claim('testline', 1, 1)).claims).toMatchObject([{ subjectId: job.id }])
    })

    it('is refused with what is missing while the provider is not set up', async () => {
      const { submit, rows } = await desk(await open(), 'Set the API key under Settings.')
      await expect(submit(plain)).rejects.toMatchObject({
        code: 'provider_not_configured',
        message: 'Set the API key under Settings.',
      })
      expect(await rows('fax_jobs')).toEqual([])
    })
  })

  describe('an Idempotency-Key', () => {
    it('makes a repeat answer with the first fax', async () => {
      const { submit, rows, stored } = await desk(await open())
      const first = await submit({ ...plain, idempotencyKey: 'order-7' })
      const second = await submit({ ...plain, to: '555 555 0123', idempotencyKey: 'order-7' })
      expect(second).toMatchObject({ replayed: true, job: { id: first.job.id } })
      expect(await rows('fax_jobs')).toHaveLength(1)
      expect(await stored()).toHaveLength(1)
    })

    it('makes one fax of twenty that arrive at once', async () => {
      const { submit, rows, stored } = await desk(await open())
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => submit({ ...plain, idempotencyKey: 'order-8' })),
      )
      expect(new Set(answers.map(({ job }) => job.id)).size).toBe(1)
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
      expect(await rows('fax_jobs')).toHaveLength(1)
      expect(await stored()).toHaveLength(1)
    })

    it('is refused for another fax, alone among its neighbors', async () => {
      const { submit, rows } = await desk(await open())
      await submit({ ...plain, idempotencyKey: 'order-9' })
      const [other, neighbor] = await Promise.allSettled([
        submit({ ...plain, to: '+15555550199', idempotencyKey: 'order-9' }),
        submit(plain),
      ])
      expect(other).toMatchObject({ status: 'rejected', reason: { code: 'idempotency_conflict' } })
      expect(neighbor).toMatchObject({ status: 'fulfilled' })
      expect(await rows('fax_jobs')).toHaveLength(2)
    })

    it('is refused for the same bytes that another name lays out another way', async () => {
      const { submit } = await desk(await open())
      const send = (fileName: string) =>
        submit({ ...plain, file: { fileName, bytes: Buffer.from('a,b\n1,2\n') }, idempotencyKey: 'order-12' })
      const { job } = await send('list.csv')
      expect(job).toMatchObject({ document_kind: 'pdf', file_name: 'list.csv' })
      expect(await send('other.csv')).toMatchObject({ replayed: true })
      await expect(send('list.txt')).rejects.toMatchObject({ code: 'idempotency_conflict' })
    })

    it('is refused for the same pages made black and white another way', async () => {
      const { submit, rows } = await desk(await open())
      const { job } = await submit({ ...plain, tones: 'photo', idempotencyKey: 'order-11' })
      expect(job.tones).toBe('photo')
      const again = submit({ ...plain, tones: 'text', idempotencyKey: 'order-11' })
      await expect(again).rejects.toMatchObject({ code: 'idempotency_conflict' })
      expect(await rows('fax_jobs')).toMatchObject([{ tones: 'photo' }])
    })

    it('of another caller is another key', async () => {
      const { submit, rows } = await desk(await open())
      await submit({ ...plain, idempotencyKey: 'order-10' })
      await submit({ ...plain, callerKeyId: 'k2', idempotencyKey: 'order-10' })
      expect(await rows('fax_jobs')).toHaveLength(2)
    })
  })

  it('takes many at once and counts every one', async () => {
    const database = await open()
    const { submit } = await desk(database)
    const jobs = await Promise.all(
      Array.from({ length: 150 }, (_, n) => submit({ ...plain, to: `+1555555${1000 + n}` })),
    )
    expect(new Set(jobs.map(({ job }) => job.id)).size).toBe(150)
    expect(await countJobs(database.db, {})).toEqual({ total: 150, isMinimum: false })
  })
})

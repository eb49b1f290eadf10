import {
  type BroadcastCounts,
  type InputOf,
  isFaxNumber,
  type Job,
  maskNumber,
  type Routes,
  stripNumber,
} from '@faxdeck/contract'
import { type FakeCalls, findIn, leastReply, Refusal } from '../fake-calls.ts'
import { isUnresolved, withCopies } from '../lines/fake-copies.ts'
import { planFor, takeStep } from '../lines/fake-line.ts'
import { assertSeen, openingsOf } from '../people/fake-openings.ts'
import { addEvent } from '../records/fake-logs.ts'
import { type FakeJob, instantOf, isWaiting, type World } from '../world.ts'
import { fakeDoubts, refuseUnlikely } from './fake-numbers.ts'
import { pagePng, smallPdf } from './fake-page.ts'
import { fakeParts } from './fake-previews.ts'

type Filter = InputOf<Routes['listJobs']>['query']

/** Whoever is at the console, as faxes and the audit trail name them. */
export function whoIsHere({ people, signedIn }: World): Pick<Job, 'key_id' | 'key_name'> {
  const person = people.find(({ id }) => id === signedIn)
  return person ? { key_id: `person:${person.id}`, key_name: person.name } : { key_id: 'bootstrap', key_name: null }
}

/**
 * A fax on its way, as if whoever is at the console had sent it.
 * @param at milliseconds since 1970
 * @param like the number whose outcome it has
 */
export function addJob(world: World, to: string, fields: Partial<Job> = {}, at = world.now(), like = to): FakeJob {
  const number = stripNumber(to)
  const job: Job = {
    ...leastReply('refreshJob'),
    id: world.nextId(),
    to_number: maskNumber(number),
    ...whoIsHere(world),
    status: 'queued',
    needs_attention: fields.held != null,
    waiting_for: null,
    backend: world.config.backend,
    test: world.config.test_line,
    pages: 1,
    actions: ['refresh', 'cancel'],
    created_at: instantOf(at),
    updated_at: instantOf(at),
    file_name: 'letter.pdf',
    document_kind: 'pdf',
    size_bytes: 48_211,
    document_kept: true,
    max_attempts: 4,
    timeline: [{ at: instantOf(at), event: 'accepted', sentence: 'Accepted.', until: null }],
    ...fields,
  }
  const fake = { job, to: number, steps: job.held ? [] : planFor(stripNumber(like), at, world.pace) }
  world.jobs.unshift(fake)
  const { id: job_id, backend, to_number, key_id, key_name } = job
  addEvent(world, 'job_created', { job_id, backend, to: to_number, key_id, ...(key_name && { key_name }) }, at)
  return fake
}

/** What a broadcast counts a fax as. */
export function countedAs({ job }: FakeJob): keyof BroadcastCounts {
  if (job.needs_attention) return 'unconfirmed'
  if (job.status === 'SUCCESS') return 'delivered'
  if (job.status === 'FAILED') return job.error_kind === 'cancelled' ? 'cancelled' : 'failed'
  return job.status
}

function fits(world: World, fake: FakeJob, filter: Filter): boolean {
  const { job, to } = fake
  const { status, backend, group, broadcast, outcome, q, from, to_date: until, time } = filter
  if (time === 'ended' && !['SUCCESS', 'FAILED'].includes(job.status)) return false
  const at = time === 'ended' ? job.updated_at : job.created_at
  if (status === 'held') {
    if (!job.held) return false
  } else if (status === 'waiting') {
    if (!isWaiting(job)) return false
  } else if (status === 'unresolved') {
    if (!isUnresolved(world, job)) return false
  } else if (
    status === 'attention' ? !job.needs_attention || job.held : status && (job.status !== status || isWaiting(job))
  )
    return false
  if (backend && job.backend !== backend) return false
  if (group && job.group_id !== group) return false
  if (broadcast && job.broadcast_id !== broadcast) return false
  if (outcome && countedAs(fake) !== outcome) return false
  if (from && at < new Date(from).toISOString()) return false
  if (until && Date.parse(at) >= Date.parse(until) + (until.includes('T') ? 0 : 86_400_000)) return false
  const words = `${job.file_name} ${job.error}`.toLowerCase()
  return !q || job.id.startsWith(q) || to.endsWith(q) || words.includes(q.toLowerCase())
}

const sortedBy = { created: 'created_at', updated: 'updated_at', ended: 'updated_at', pages: 'pages' } as const

function sorted(jobs: Job[], { sort = 'created', direction = 'desc' }: Filter): Job[] {
  const value = (job: Job) => job[sortedBy[sort]] ?? 0
  const later = (a: Job, b: Job) => (value(a) === value(b) ? a.id > b.id : value(a) > value(b))
  return jobs.toSorted((a, b) => (later(a, b) ? 1 : -1) * (direction === 'asc' ? 1 : -1))
}

/** The faxes that fit a filter. */
export const findFaxes = (world: World, filter: Filter): FakeJob[] =>
  world.jobs.filter((fake) => fits(world, fake, filter))

function pageOfJobs(world: World, filter: Filter) {
  const fitting = findFaxes(world, filter).map(({ job }) => withCopies(world, job))
  const all = filter.sort ? sorted(fitting, filter) : fitting
  const start = all.findIndex((job) => job.id === filter.cursor) + 1
  const jobs = all.slice(start, start + Number(filter.limit ?? 50))
  const more = start + jobs.length < all.length
  return { jobs, total: all.length, total_is_minimum: false, next_cursor: more ? (jobs.at(-1)?.id ?? null) : null }
}

function finish(world: World, fake: FakeJob, status: 'SUCCESS' | 'FAILED', event: string, sentence: string): Job {
  fake.steps = []
  const kind = event === 'cancelled' ? { kind: 'cancelled' as const } : {}
  takeStep(world, fake, { at: world.now(), event, sentence, status, ...kind })
  return fake.job
}

function release(world: World, fake: FakeJob): void {
  const { job } = fake
  const at = instantOf(world.now())
  const sentence = 'A person released the fax. It will be sent.'
  Object.assign(job, { held: null, needs_attention: false, actions: ['refresh', 'cancel'], updated_at: at })
  job.timeline.push({ at, event: 'released', sentence, until: null })
  fake.steps = planFor(fake.to, world.now(), world.pace)
  addEvent(world, 'job_released', { job_id: job.id, backend: job.backend }, world.now())
}

const findJob = (world: World, id: string) => findIn(world.jobs, ({ job }) => job.id === id, 'fax_not_found')

function sendAgain(world: World, { job, to }: FakeJob, isMeant: boolean, force: boolean) {
  if (!isMeant) refuseUnlikely(to)
  const { resend_refusal: refusal } = withCopies(world, job)
  if (refusal && !force) throw new Refusal(refusal)
  return addJob(world, to, { parent_id: job.id, pages: job.pages, file_name: job.file_name }).job
}

/** What is asked about the faxes that were sent, and done with them. */
export function jobCalls(world: World) {
  const find = (id: string) => findJob(world, id)
  const pdfOf = (id: string) => {
    find(id)
    return smallPdf()
  }
  return {
    listJobs: ({ query }) => pageOfJobs(world, query),
    exportJobs: ({ query }) => {
      const chosen = query.ids?.split(',')
      const jobs = world.jobs.filter((fake) => (chosen ? chosen.includes(fake.job.id) : fits(world, fake, query)))
      const lines = jobs.map(({ job }) => [job.id, job.to_number, job.status, job.created_at].join(','))
      return new TextEncoder().encode(['id,to_number,status,created_at', ...lines].join('\n'))
    },
    getJob: ({ params }) => {
      assertSeen(world, params.id)
      const job = withCopies(world, find(params.id).job)
      const cover_text = job.cover ? { from: 'Front desk', subject: null, note: null } : null
      return { ...job, openings: openingsOf(world, params.id), cover_text }
    },
    getJobPdf: ({ params }) => pdfOf(params.id),
    getJobOriginal: ({ params }) => pdfOf(params.id),
    getJobReceipt: ({ params }) => {
      if (!['SUCCESS', 'FAILED'].includes(find(params.id).job.status)) throw new Refusal('conflict')
      return smallPdf()
    },
    getJobPage: ({ params }) => pagePng(Number(params.page) - (find(params.id).job.cover ? 1 : 0)),
    refreshJob: ({ params }) => find(params.id).job,
    cancelJob: ({ params }) => {
      const fake = find(params.id)
      if (!fake.job.actions.includes('cancel')) throw new Refusal('conflict', 'The fax is already being sent.')
      return finish(world, fake, 'FAILED', 'cancelled', 'Canceled.')
    },
    releaseJob: ({ params }) => {
      const fake = find(params.id)
      if (fake.job.held) release(world, fake)
      return fake.job
    },
    resendJob: ({ params, body }) =>
      sendAgain(world, find(params.id), body?.allow_unlikely_number === true, body?.force === true),
    resolveJob: ({ params, body }) => {
      const fake = find(params.id)
      if (!fake.job.needs_attention) throw new Refusal('conflict', 'The fax is no longer uncertain.')
      if (body.outcome === 'delivered')
        return finish(world, fake, 'SUCCESS', 'settled', 'A person decided that the fax was delivered.')
      finish(world, fake, 'FAILED', 'settled', 'A person decided that the fax was not delivered.')
      return body.outcome === 'failed' ? fake.job : sendAgain(world, fake, true, true)
    },
  } satisfies FakeCalls
}

/** A fax as programs see it. */
const faxOf = ({ job, to }: Pick<FakeJob, 'job' | 'to'>) => ({
  ...job,
  to,
  actions: job.actions.filter((each) => each === 'cancel' || each === 'resend'),
})

/** What is done while a fax is sent. */
export function sendingCalls(world: World) {
  return {
    submitFax: ({ form }) => {
      if (!isFaxNumber(form.to)) throw new Refusal('bad_number')
      if (form.allow_unlikely_number !== 'true') refuseUnlikely(form.to)
      const template = form.cover ?? world.config.default_cover
      const cover = template === 'none' ? null : template
      const { name: file_name, size: size_bytes } = form.file
      return faxOf(addJob(world, form.to, { file_name, size_bytes, cover, pages: cover ? 2 : 1 }))
    },
    splitFax: ({ form }) => ({
      faxes: fakeParts.map(({ to, reference, pages }) => {
        const file_name = reference === null ? form.file.name : `${reference}.pdf`
        return faxOf(addJob(world, to, { file_name, pages }))
      }),
    }),
    getFax: ({ params }) => faxOf(findJob(world, params.id)),
    checkNumbers: ({ body }) => ({ invalid: [], unlikely: fakeDoubts(body.numbers) }),
    lookUpRecipient: ({ query }) => {
      const to = stripNumber(query.to)
      const before = world.jobs.filter((fake) => fake.to.endsWith(to.replace(/^\+1?/, '')))
      const last = before.find(({ job }) => job.status === 'SUCCESS')
      const dialed = to.startsWith('+') ? to : `+1${to}`
      return { to: dialed, faxed_before: before.length, last_delivered_at: last?.job.updated_at ?? null }
    },
  } satisfies FakeCalls
}

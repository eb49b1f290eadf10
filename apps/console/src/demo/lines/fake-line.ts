import type { FailureKind, InboundFax, Job } from '@faxdeck/contract'
import { leastReply } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import { deliverMessages } from '../records/fake-messages.ts'
import { type FakeJob, instantOf, type Step, type World } from '../world.ts'

type Attempt = Job['attempts'][number]
type Call = NonNullable<Attempt['call']>

const share = { answered: 0.1, agreed: 0.22 }

/** What an own telephone switch would have reported of a call that began and ended when the attempt did. */
function fakeCall(job: Job, { started_at, ended_at, kind }: Attempt): Call | null {
  if (!['sip', 'freeswitch', 'trunk'].includes(job.backend) || ended_at === null) return null
  const [begin, end] = [Date.parse(started_at), Date.parse(ended_at)]
  const at = (part: number) => instantOf(begin + (end - begin) * part)
  const edge: Call['steps'] = [{ step: 'dialed', at: at(0) }]
  const last = { step: 'ended', at: at(1) } as const
  if (kind === 'busy') return { cause: 17, sip: '486 Busy Here', steps: [...edge, last] }
  if (kind === 'no_answer') return { cause: 19, steps: [...edge, last] }
  const pages = kind === null ? (job.pages ?? 1) : 0
  const each = (0.95 - share.agreed) / Math.max(1, pages)
  const confirmed = Array.from({ length: pages }, (_, index) => {
    return { step: 'page', page: index + 1, at: at(share.agreed + each * (index + 1)) } as const
  })
  const slows = pages > 2
  return {
    transport: 'audio',
    codec: 'ulaw',
    station: job.to_number,
    ecm: true,
    speeds: [{ bps: 14_400, after_page: 0 }, ...(slows ? [{ bps: 9600, after_page: 2 }] : [])],
    pages,
    cause: 16,
    sip: '200 OK',
    jitter_ms: 2.5,
    lost_packets: slows ? 14 : 0,
    steps: [
      ...edge,
      { step: 'answered', at: at(share.answered) },
      { step: 'agreed', at: at(share.agreed) },
      ...confirmed,
      last,
    ],
  }
}

type Planned = Omit<Step, 'at'> & { after: number }

const call: Planned = { after: 0.6, event: 'calling', sentence: 'Calling.', status: 'in_progress' }
const delivered: Planned = { after: 2.4, event: 'delivered', sentence: 'Delivered.', status: 'SUCCESS' }
const failed = (kind: FailureKind, sentence: string): Planned[] => [
  call,
  { after: 2.4, event: 'failed', sentence, status: 'FAILED', kind },
]
const busyAgain = (attempt: number): Planned[] => [
  { ...call, after: 0.6 + (attempt - 1) * 180 },
  {
    after: 2 + (attempt - 1) * 180,
    event: 'retry_scheduled',
    sentence: `The line was busy. Retrying, attempt ${attempt + 1} of 4.`,
    status: 'in_progress',
    kind: 'busy',
    againAfter: 180,
  },
]

/** What the test line does with a number, by its last four digits. */
const plans: Record<string, Planned[]> = {
  '0100': [
    ...busyAgain(1),
    ...busyAgain(2),
    ...busyAgain(3),
    { ...call, after: 541 },
    { after: 543, event: 'failed', sentence: 'Busy, 4 attempts.', status: 'FAILED', kind: 'busy' },
  ],
  '0101': failed('no_answer', 'Nobody answered.'),
  '0102': failed('bad_number', 'The number does not exist.'),
  '0103': failed('partial', 'Cut off after page 1.'),
  '0104': [call, { ...delivered, after: 10 }],
  '0106': [
    call,
    {
      after: 2.4,
      event: 'uncertain',
      sentence: 'Connection lost while sending. The provider may or may not have accepted the fax. You decide.',
      status: 'in_progress',
      kind: 'uncertain',
    },
  ],
}

/** What will happen to a fax to `to` that is submitted at `from`, when calls take `pace` times as long as usual. */
export function planFor(to: string, from: number, pace = 1): Step[] {
  const planned = plans[to.slice(-4)] ?? [call, delivered]
  return planned.map(({ after, againAfter, ...step }) => ({
    ...step,
    at: from + after * pace * 1000,
    ...(againAfter === undefined ? {} : { againAfter: againAfter * pace }),
  }))
}

function beginAttempt(job: Job, step: Step): void {
  job.attempts.push({
    number: job.attempts.length + 1,
    provider: job.backend,
    provider_id: job.id.slice(0, 12),
    started_at: instantOf(step.at),
    ended_at: null,
    kind: null,
    sentence: null,
    pages_confirmed: null,
    call: null,
  })
  job.attempt_count = job.attempts.length
}

function endAttempt(job: Job, step: Step): void {
  const attempt = job.attempts.at(-1)
  if (!attempt) return
  attempt.ended_at = instantOf(step.at)
  attempt.kind = step.kind ?? null
  attempt.sentence = step.sentence
  attempt.pages_confirmed = step.status === 'SUCCESS' ? job.pages : null
  attempt.call = fakeCall(job, attempt)
}

/** What may be done with a job in its present state. */
function actionsFor(job: Job): Job['actions'] {
  if (job.needs_attention) return job.status === 'FAILED' ? ['resend', 'resolve'] : ['refresh', 'resolve']
  if (job.status === 'queued') return ['refresh', 'cancel']
  if (job.next_try_at !== null) return ['cancel']
  return job.status === 'in_progress' ? ['refresh'] : ['refresh', 'resend']
}

/** Records a step as the gateway does. */
function record(world: World, job: Job, step: Step): void {
  const facts = { job_id: job.id, backend: job.backend, status: job.status }
  if (step.event === 'calling') addEvent(world, 'job_dispatch', { ...facts, attempt: job.attempt_count }, step.at)
  else if (step.event === 'cancelled') addEvent(world, 'job_cancelled', facts, step.at)
  else if (step.event === 'settled') addEvent(world, 'job_resolved', facts, step.at)
  else if (step.status === 'FAILED') addEvent(world, 'job_failed', { ...facts, error: step.sentence }, step.at)
  else addEvent(world, 'job_updated', { ...facts, state: step.event }, step.at)
}

/** Makes a step of a fax's way happen. */
export function takeStep(world: World, { job }: FakeJob, step: Step): void {
  if (step.event === 'calling') beginAttempt(job, step)
  else endAttempt(job, step)
  const until = step.againAfter === undefined ? null : instantOf(step.at + step.againAfter * 1000)
  job.status = step.status
  job.error_kind = step.kind ?? null
  job.error = step.kind ? step.sentence : null
  job.held = null
  job.needs_attention = step.kind === 'uncertain' || step.kind === 'partial'
  job.next_try_at = until
  job.pages_confirmed = step.status === 'SUCCESS' ? job.pages : null
  job.updated_at = instantOf(step.at)
  job.timeline.push({ at: instantOf(step.at), event: step.event, sentence: step.sentence, until })
  job.actions = actionsFor(job)
  record(world, job, step)
}

/** A fax as it lies in the inbox. */
export function receivedFax(world: World, fields: Partial<InboundFax>): InboundFax {
  const id = world.nextId()
  const at = instantOf(world.now())
  return {
    ...leastReply('markInboundRead'),
    id,
    fr: '********0199',
    to: '********0123',
    status: 'received',
    backend: world.config.hybrid.inbound,
    provider_sid: id.slice(0, 12),
    pages: 1,
    size_bytes: 24_310,
    sha256: world.nextId(64),
    document_kept: true,
    received_at: at,
    created_at: at,
    updated_at: at,
    cursor: id,
    ...fields,
  }
}

/** Puts a fax into the inbox; one that holds a document is recorded as received. */
export function arrive(world: World, fax: InboundFax): void {
  world.inbound.unshift(fax)
  if (fax.status !== 'received') return
  const numbers = { ...(fax.fr && { from: fax.fr }), ...(fax.to && { to: fax.to }) }
  const at = Date.parse(fax.received_at)
  addEvent(world, 'inbound_received', { job_id: fax.id, backend: fax.backend, ...numbers }, at)
}

/** Lets everything happen that is due: faxes are called and delivered, the test line's own arrive in the inbox, and webhooks are sent. */
export function catchUp(world: World): void {
  const arrived: InboundFax[] = []
  for (const fake of world.jobs) {
    while (fake.steps[0] && fake.steps[0].at <= world.now()) {
      const step = fake.steps.shift()
      if (!step) break
      takeStep(world, fake, step)
      const { to_number: to, pages, updated_at: at } = fake.job
      if (step.status === 'SUCCESS' && fake.job.backend === 'testline')
        arrived.push(receivedFax(world, { to, pages, received_at: at }))
    }
  }
  arrived.sort((a, b) => b.received_at.localeCompare(a.received_at))
  for (const fax of arrived.toReversed()) arrive(world, fax)
  world.events.sort((a, b) => a.ts.localeCompare(b.ts))
  deliverMessages(world)
}

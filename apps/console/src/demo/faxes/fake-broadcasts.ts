import { type Broadcast, type BroadcastDetail, dropDuplicates, readRecipients } from '@faxdeck/contract'
import { type FakeCalls, findIn, Refusal } from '../fake-calls.ts'
import { planFor, takeStep } from '../lines/fake-line.ts'
import { type FakeBroadcast, type FakeJob, instantOf, type World } from '../world.ts'
import { addJob, countedAs } from './fake-jobs.ts'

const faxesOf = (world: World, id: string) => world.jobs.filter(({ job }) => job.broadcast_id === id)

const mayResend = (world: World) => (fake: FakeJob) =>
  countedAs(fake) === 'failed' && !world.jobs.some(({ job }) => job.parent_id === fake.job.id)

const hasNoFax = ({ job }: FakeJob) => job.error_kind === 'bad_number'

function stand(world: World, { made, paused }: FakeBroadcast): BroadcastDetail {
  const counts = { queued: 0, in_progress: 0, delivered: 0, failed: 0, cancelled: 0, unconfirmed: 0 }
  const faxes = faxesOf(world, made.id)
  for (const fake of faxes) counts[countedAs(fake)] += 1
  const isOver = counts.queued + counts.in_progress === 0
  const going = made.cancelled_at === null ? (paused ? 'paused' : 'sending') : 'cancelling'
  const failed = faxes.filter(mayResend(world))
  const number_failed = failed.filter(hasNoFax).length
  const state = isOver ? 'finished' : going
  return { ...made, counts, state, resendable: failed.length - number_failed, number_failed }
}

type Made = Pick<FakeBroadcast['made'], 'file_name' | 'duplicates' | 'skipped_rows' | 'parent_id'>

/** A broadcast to these numbers. @param parents the faxes that it sends again, in their order */
export function addBroadcast(
  world: World,
  numbers: readonly string[],
  of: Partial<Made> = {},
  parents: string[] = [],
): FakeBroadcast {
  const { file_name = 'letter.pdf', duplicates = 0, skipped_rows = [], parent_id = null } = of
  const id = world.nextId()
  numbers.forEach((to, at) => addJob(world, to, { broadcast_id: id, file_name, parent_id: parents[at] ?? null }))
  const made = {
    ...{ id, faxes: numbers.length, duplicates, skipped: skipped_rows.length, skipped_rows, file_name, pages: 2 },
    ...{ test: world.config.test_line, parent_id, cancelled_at: null, created_at: instantOf(world.now()) },
  }
  const broadcast = { made, paused: false }
  world.broadcasts.unshift(broadcast)
  return broadcast
}

const find = (world: World, id: string) => findIn(world.broadcasts, ({ made }) => made.id === id, 'broadcast_not_found')

/** What a person does with a broadcast under way. */
function steeringCalls(world: World) {
  const steer = (id: string, change: (broadcast: FakeBroadcast, faxes: FakeJob[]) => void) => {
    const broadcast = find(world, id)
    change(broadcast, faxesOf(world, id))
    return stand(world, broadcast)
  }
  const isWaiting = ({ job }: FakeJob) => job.status === 'queued'
  return {
    pauseBroadcast: ({ params }) =>
      steer(params.id, (broadcast, faxes) => {
        broadcast.paused = true
        for (const fake of faxes.filter(isWaiting)) fake.steps = []
      }),
    resumeBroadcast: ({ params }) =>
      steer(params.id, (broadcast, faxes) => {
        broadcast.paused = false
        for (const fake of faxes.filter(isWaiting)) fake.steps = planFor(fake.to, world.now(), world.pace)
      }),
    cancelBroadcast: ({ params }) =>
      steer(params.id, ({ made }, faxes) => {
        made.cancelled_at ??= instantOf(world.now())
        const step = {
          at: world.now(),
          event: 'cancelled',
          sentence: 'Canceled.',
          status: 'FAILED',
          kind: 'cancelled',
        } as const
        for (const fake of faxes.filter(isWaiting)) {
          fake.steps = []
          takeStep(world, fake, step)
        }
      }),
    resendBroadcast: ({ params, body }) => {
      const { made } = find(world, params.id)
      const all = faxesOf(world, made.id).filter(mayResend(world))
      const failed = all.filter((fake) => body?.force === true || !hasNoFax(fake))
      if (failed.length === 0 && all.length > 0) throw new Refusal('number_failed')
      if (failed.length === 0) throw new Refusal('conflict', 'There is no failed fax left to send again.')
      const of = { file_name: made.file_name, parent_id: made.id }
      const numbers = failed.map(({ to }) => to)
      const ids = failed.map(({ job }) => job.id)
      return stand(world, addBroadcast(world, numbers, of, ids))
    },
  } satisfies FakeCalls
}

/** One document to many numbers. */
export function broadcastCalls(world: World) {
  return {
    createBroadcast: ({ form }) => {
      const { recipients, refused } = readRecipients(form.recipients)
      if (refused.length > 0 && form.skip_invalid !== 'true') throw new Refusal('bad_recipients')
      const { once, duplicates } = dropDuplicates(recipients, (to) => to)
      const of = { file_name: form.file.name, duplicates: duplicates.length, skipped_rows: refused }
      return stand(
        world,
        addBroadcast(
          world,
          once.map(({ to }) => to),
          of,
        ),
      )
    },
    listBroadcasts: () => {
      const broadcasts: Broadcast[] = world.broadcasts.map((each) => stand(world, each))
      return { broadcasts, next_cursor: null }
    },
    getBroadcast: ({ params }) => stand(world, find(world, params.id)),
    exportBroadcast: ({ params }) => {
      const lines = faxesOf(world, find(world, params.id).made.id).map(({ job, to }) => `${to},${job.status}`)
      return new TextEncoder().encode(['Number,Status', ...lines].join('\n'))
    },
    ...steeringCalls(world),
  } satisfies FakeCalls
}

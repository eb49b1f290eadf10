import type { Job } from '@faxdeck/contract'
import { ago, day, hour, minute, partners, personCalled, read, receive, send } from './clinic.ts'
import { addBroadcast } from './faxes/fake-broadcasts.ts'
import { addHeldJob } from './faxes/fake-held.ts'
import { catchUp, takeStep } from './lines/fake-line.ts'
import { addEvent } from './records/fake-logs.ts'
import { instantOf, type World } from './world.ts'

const senders = ['Ruth Alvarez', 'Jordan Okafor', 'Mei Tanaka'] as const

/** The clinic changed its provider, and its line was down for some faxes of one day. */
const carrierOf = (daysAgo: number, fax: number): Pick<Job, 'backend'> => ({
  backend: daysAgo > 12 ? 'phaxio' : daysAgo === 3 && fax > 3 && fax < 7 ? 'sinch' : 'trunk',
})

/** Hours of the clinic: from eight to six on weekdays, a few faxes at weekends. */
function addDay(world: World, daysAgo: number): void {
  const midnight = new Date(world.now()).setHours(0, 0, 0, 0) - daysAgo * day * 1000
  const isOpen = ![0, 6].includes(new Date(midnight).getDay())
  const faxes = isOpen ? 9 + ((daysAgo * 5) % 7) : 2
  for (let fax = 0; fax < faxes; fax += 1) {
    const seconds = (world.now() - midnight) / 1000 - (8 + (10 * fax) / faxes) * hour - ((fax * 11) % 17) * minute
    if (seconds < 20 * minute) continue
    const count = daysAgo * 16 + fax
    const sent = { from: senders[count % 3] ?? 'Mei Tanaka', to: count, paper: count * 5, pages: 1 + ((count * 7) % 6) }
    world.pace = 18 + sent.pages * 9
    const fields = carrierOf(daysAgo, fax)
    if (count % 14 === 0) {
      const { job } = ago(world, seconds, () => send(world, { ...sent, fields, like: '0101' }))
      ago(world, seconds - 9 * minute, () => send(world, { ...sent, fields: { ...fields, parent_id: job.id } }))
    } else ago(world, seconds, () => send(world, { ...sent, fields }))
    if (fax % 3 === 2) continue
    const arrived = ago(world, seconds - 4 * minute, () => receive(world, count * 2, count, fields))
    const reader = count % 2 === 0 ? 'Ruth Alvarez' : 'Jordan Okafor'
    if (seconds > 2 * hour) ago(world, seconds - 16 * minute, () => read(world, arrived, reader))
  }
}

/** Faxes of the last day that did not go the usual way: each of the states that a person meets. */
function addTroubles(world: World): void {
  const late = (seconds: number, pace: number, fax: Parameters<typeof send>[1]) => {
    world.pace = pace
    return ago(world, seconds, () => send(world, fax))
  }
  late(26 * hour, 6, { from: 'Ruth Alvarez', to: 6, paper: 3, pages: 5, like: '0100' })
  late(5 * hour, 30, { from: 'Jordan Okafor', to: 2, paper: 0, like: '0102' })
  const withdrawn = late(4 * hour, 30, { from: 'Mei Tanaka', to: 7, paper: 2 })
  withdrawn.steps = []
  const step = { event: 'cancelled', sentence: 'Canceled.', status: 'FAILED', kind: 'cancelled' } as const
  takeStep(world, withdrawn, { ...step, at: world.now() - 4 * hour * 1000 + 9000 })
  late(70 * minute, 30, { from: 'Mei Tanaka', to: 4, paper: 4, pages: 4, like: '0103' })
  late(50 * minute, 30, { from: 'Jordan Okafor', to: 5, paper: 1, like: '0106' })
  late(25 * minute, 10, { from: 'Ruth Alvarez', to: 8, paper: 5, pages: 3, like: '0100' })
  Object.assign(addHeldJob(world, partners[3][1]).job, { recipient: partners[3][0], file_name: 'echo-report.pdf' })
  late(minute, 30, { from: 'Jordan Okafor', to: 0, paper: 5, pages: 3, like: '0104' })
  late(4, 30, { from: 'Mei Tanaka', to: 1, paper: 2, pages: 1 })
}

/** A letter to everybody, a fax that could not be received, and one that was opened in an emergency. */
function addOccasions(world: World): void {
  world.pace = 30
  ago(world, 2 * day - 3 * hour, () => {
    const { made } = addBroadcast(
      world,
      partners.map(([, number]) => number),
      { file_name: 'holiday-hours.pdf' },
    )
    for (const { job, to } of world.jobs.filter((fake) => fake.job.broadcast_id === made.id))
      job.recipient = partners.find(([, number]) => number === to)?.[0] ?? null
  })
  const lost = { status: 'failed', backend: 'sinch', error: 'The document could not be fetched.', pages: null } as const
  ago(world, 3 * hour, () => receive(world, 6, 1, { ...lost, document_kept: false }))
  for (const [minutes, paper] of [
    [48, 0],
    [31, 5],
    [12, 1],
  ] as const)
    ago(world, minutes * minute, () => receive(world, paper + 3, paper))
  const seen = world.inbound.find(({ read_at: at }) => at !== null)
  const nurse = personCalled(world, 'Jordan Okafor')
  if (!seen || !nurse) return
  ago(world, 100 * minute, () => read(world, seen, 'Ruth Alvarez', 'document_printed'))
  ago(world, 95 * minute, () => {
    const reason = 'Patient in the emergency room, attending asks for the last report'
    const until = instantOf(world.now() + hour * 1000)
    const who = { person_id: nurse.id, name: nurse.name }
    world.openings.push({ ...who, fax_id: seen.id, reason, opened_at: instantOf(world.now()), until })
    const facts = { job_id: seen.id, reason, direction: 'received', until, name: nurse.name }
    addEvent(world, 'fax_opened_with_reason', { ...facts, key_id: `person:${nurse.id}`, key_name: nurse.name })
    read(world, seen, 'Jordan Okafor')
  })
}

/** A month of the clinic, up to this minute. */
export function addMonth(world: World): void {
  for (let daysAgo = 30; daysAgo >= 0; daysAgo -= 1) addDay(world, daysAgo)
  addOccasions(world)
  addTroubles(world)
  const when = ({ job }: World['jobs'][number]) => job.created_at
  world.jobs.sort((a, b) => when(b).localeCompare(when(a)))
  world.inbound.sort((a, b) => b.received_at.localeCompare(a.received_at))
  catchUp(world)
}

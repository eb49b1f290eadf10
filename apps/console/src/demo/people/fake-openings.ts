import { type FakeCalls, Refusal } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import { instantOf, type World } from '../world.ts'

/** Who opened a fax with a reason. */
export const openingsOf = (world: World, id: string) =>
  world.openings.filter(({ fax_id: fax }) => fax === id).map(({ fax_id: _, ...opening }) => opening)

/** @throws {Refusal} `fax_not_found` for a fax of another group that nobody has open */
export function assertSeen(world: World, id: string): void {
  const isOpen = openingsOf(world, id).some(({ until }) => Date.parse(until) > world.now())
  if (world.foreign.has(id) && !isOpen) throw new Refusal('fax_not_found')
}

export function openingCalls(world: World) {
  return {
    openFax: ({ params: { id }, body: { reason } }) => {
      const minutes = world.config.break_glass_minutes
      if (minutes === 0)
        throw new Refusal('feature_disabled', 'Emergency access is off. Ask an operator, who sees all faxes.')
      const person = world.people.find((each) => each.id === world.signedIn)
      const direction = world.jobs.some(({ job }) => job.id === id) ? ('sent' as const) : ('received' as const)
      if (!world.foreign.has(id)) {
        addEvent(world, 'fax_opening_missed', { job_id: id, reason })
        throw new Refusal('fax_not_found')
      }
      const until = instantOf(world.now() + minutes * 60_000)
      const who = { person_id: person?.id ?? '', name: person?.name ?? '' }
      world.openings.push({ ...who, fax_id: id, reason, opened_at: instantOf(world.now()), until })
      addEvent(world, 'fax_opened_with_reason', { job_id: id, reason, direction, until })
      return { direction, until }
    },
    findFaxesToOpen: ({ body: { reason, number = '' } }) => {
      const end = number.slice(-4)
      addEvent(world, 'fax_search_with_reason', { reason })
      const faxes = [
        ...world.jobs.map(({ job, to }) => ({
          id: job.id,
          direction: 'sent' as const,
          at: job.created_at,
          number: to,
          pages: job.pages,
        })),
        ...world.inbound.map((fax) => ({
          id: fax.id,
          direction: 'received' as const,
          at: fax.received_at,
          number: fax.fr,
          pages: fax.pages,
        })),
      ].filter(({ number: own }) => own?.endsWith(end))
      return { faxes: faxes.map((fax) => ({ ...fax, visible: !world.foreign.has(fax.id) })), more: false }
    },
  } satisfies FakeCalls
}

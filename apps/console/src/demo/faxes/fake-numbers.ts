import { stripNumber } from '@faxdeck/contract/phone'
import { type FakeCalls, findIn, Refusal } from '../fake-calls.ts'
import { assertSeen } from '../people/fake-openings.ts'
import { addEvent } from '../records/fake-logs.ts'
import type { World } from '../world.ts'

/** Those whose North American area code begins with 0 or 1, as none does. The gateway knows all countries. */
export const fakeDoubts = (numbers: readonly string[]) =>
  numbers.flatMap((to) => {
    const [, area] = /^(?:\+?1)?([01]\d\d)\d{7}$/.exec(stripNumber(to)) ?? []
    return area === undefined ? [] : [{ to, reason: `There is no area code ${area} in the US.` }]
  })

/** @throws {Refusal} `number_unlikely` */
export function refuseUnlikely(to: string): void {
  const [doubt] = fakeDoubts([to])
  if (doubt) throw new Refusal('number_unlikely', doubt.reason, [{ field: 'to', message: doubt.reason }])
}

/** The numbers of faxes in full, which is recorded. */
export function numberCalls(world: World) {
  const record = (id: string) => {
    assertSeen(world, id)
    addEvent(world, 'number_shown', { job_id: id })
  }
  return {
    showJobNumber: ({ params: { id } }) => {
      record(id)
      return { to_number: findIn(world.jobs, ({ job }) => job.id === id, 'fax_not_found').to }
    },
    showInboundNumbers: ({ params: { id } }) => {
      record(id)
      const { fr, to } = findIn(world.inbound, (fax) => fax.id === id, 'fax_not_found')
      return { fr, to }
    },
  } satisfies FakeCalls
}

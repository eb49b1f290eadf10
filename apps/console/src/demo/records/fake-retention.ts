import type { LegalHold, RetentionRule } from '@faxdeck/contract'
import type { FakeCalls } from '../fake-calls.ts'
import { addEvent } from './fake-logs.ts'
import { Refusal } from '../refusal.ts'
import { instantOf, type World } from '../world.ts'

/** Holds and rules of one world; nothing is ever deleted in it. */
export function retentionCalls(world: World) {
  const holds: LegalHold[] = []
  let rules: RetentionRule[] = []
  const shown = () => ({ sent_days: 0, received_days: 30, rules })
  return {
    listHolds: () => holds,
    placeHold: ({ body }) => {
      const hold: LegalHold = {
        id: world.nextId(12),
        ...body,
        placed_by: 'bootstrap',
        placed_at: instantOf(world.now()),
        lifted_by: null,
        lifted_at: null,
        lift_reason: null,
      }
      holds.unshift(hold)
      addEvent(world, 'hold_placed', { hold: hold.id })
      return hold
    },
    liftHold: ({ params, body }) => {
      const hold = holds.find(({ id }) => id === params.id)
      if (!hold) throw new Refusal('hold_not_found')
      if (hold.lifted_at !== null) throw new Refusal('conflict', 'This hold has been lifted already.')
      const lifted = { lifted_by: 'bootstrap', lifted_at: instantOf(world.now()), lift_reason: body.reason }
      return Object.assign(hold, lifted)
    },
    getRetention: shown,
    setRetention: ({ body }) => {
      rules = body.rules
      return shown()
    },
    listDeletions: () => ({ deletions: [], next: null }),
  } satisfies FakeCalls
}

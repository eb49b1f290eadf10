import type { BulkAction, BulkKind } from '@faxdeck/contract'
import { type FakeCalls, Refusal } from '../fake-calls.ts'
import { instantOf, type World } from '../world.ts'
import { findFaxes, jobCalls } from './fake-jobs.ts'
import { withCopies } from '../lines/fake-copies.ts'

/** How long it seems to take. */
const takesMs = 1500

/** The same done with all faxes of a filter: in a demo at once, and then a moment passes. */
export function bulkCalls(world: World) {
  const begun = new Map<string, BulkAction>()
  const calls = jobCalls(world)
  const able = (action: BulkKind, filter: Parameters<typeof findFaxes>[1], force = false) =>
    findFaxes(world, filter).filter(
      ({ job }) =>
        job.actions.includes(action) && (action !== 'resend' || force || !withCopies(world, job).resend_refusal),
    )
  const find = (id: string) => {
    const bulk = begun.get(id)
    if (!bulk) throw new Refusal('not_found')
    const isOver = world.now() >= Date.parse(bulk.created_at) + takesMs
    if (isOver) bulk.finished_at ??= instantOf(world.now())
    return bulk
  }
  const act = {
    cancel: (id: string) => calls.cancelJob({ params: { id } }),
    release: (id: string) => calls.releaseJob({ params: { id } }),
    resend: (id: string, force: boolean) => calls.resendJob({ params: { id }, body: { force } }),
  }
  return {
    countBulk: ({ query: { action, force, ...filter } }) => ({
      count: able(action, filter, force === 'true').length,
      is_minimum: false,
    }),
    createBulk: ({ body: { id, action, filter, confirmed, force = false } }) => {
      const known = begun.get(id)
      if (known) return known
      const faxes = able(action, filter, force)
      if (faxes.length > confirmed) throw new Refusal('conflict', 'More match now. Count again.')
      for (const { job } of faxes) act[action](job.id, force)
      const at = instantOf(world.now())
      const counts = { total: faxes.length, done: faxes.length, refused: 0, refusal: null }
      const bulk: BulkAction = { id, action, ...counts, created_at: at, finished_at: null }
      begun.set(id, bulk)
      return bulk
    },
    getBulk: ({ params }) => find(params.id),
    stopBulk: ({ params }) => Object.assign(find(params.id), { finished_at: instantOf(world.now()) }),
  } satisfies FakeCalls
}

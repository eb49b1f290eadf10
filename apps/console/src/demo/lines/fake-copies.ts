import type { Job } from '@faxdeck/contract'
import type { World } from '../world.ts'

/** The job with what is said of its later copies; in the demo each was sent again from the first. */
export function withCopies(world: World, job: Job): Job {
  const copies = world.jobs.map((fake) => fake.job).filter(({ parent_id: parent }) => parent === job.id)
  const copy = copies.find(({ status }) => status === 'SUCCESS') ?? copies[0]
  const as = copy && { ...copy, at: copy.updated_at }
  const delivered = [job, ...copies].some(({ status, test }) => status === 'SUCCESS' && !test)
  const isUnderWay = copies.some(({ status }) => status !== 'SUCCESS' && status !== 'FAILED')
  const later = isUnderWay ? 'already_under_way' : job.error_kind === 'bad_number' ? 'number_failed' : null
  const isOver = job.status === 'SUCCESS' || job.status === 'FAILED'
  return Object.assign(job, {
    resent_as: as ?? null,
    resend_refusal: !isOver ? null : delivered ? ('already_delivered' as const) : later,
  })
}

/** Whether a person has still to look at a fax. */
export function isUnresolved(world: World, job: Job): boolean {
  if (job.needs_attention) return !job.held
  return job.status === 'FAILED' && job.error_kind !== 'cancelled' && withCopies(world, job).resent_as === null
}

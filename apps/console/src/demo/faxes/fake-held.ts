import type { HeldFax, Job } from '@faxdeck/contract'
import { addJob } from './fake-jobs.ts'
import { type FakeJob, instantOf, type World } from '../world.ts'

/** A fax that waits to be released after a restore. @param found what the provider lists to its number */
export function addHeldJob(world: World, to: string, found: HeldFax['found'] = []): FakeJob {
  const since = instantOf(world.now() - 3_600_000)
  const as_of = instantOf(world.now() - 8 * 3_600_000)
  const sentence =
    'Held: the database was restored from a backup, and this fax may have been sent since then. Nothing is sent until you release it.'
  const held: HeldFax = { since, as_of, asked_at: since, sentence, found }
  const actions: Job['actions'] = ['refresh', 'release', 'cancel']
  const fake = addJob(world, to, { held, actions }, Date.parse(as_of) - 60_000)
  fake.job.timeline.push({ at: since, event: 'held', sentence, until: null })
  return fake
}

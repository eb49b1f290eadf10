import type { JobSummary } from '../../packages/contract/src/index.ts'
import type { EmulatedFax } from '../../packages/provider-kit/src/emulator/index.ts'
import type { MixedAftermath } from './mixed-storm.ts'
import { keyIn } from './mixed-traffic.ts'
import type { Submission } from './sender.ts'

/** What became of the faxes of one provider, counted on its side. */
export interface Count {
  faxes: number
  'kills meanwhile': number
  'accepted once': number
  'of them delivered': number
  /** They wait for a person. */
  uncertain: number
  'uncertain and accepted': number
  lost: number
  doubled: number
  'came in': number
  'came in lost': number
  'came in doubled': number
}

interface Fate {
  job: JobSummary
  submission: Submission
  /** What the stand-in was given of it. */
  accepted: readonly EmulatedFax[]
}

/**
 * Pairs every job with what its provider was given of it: by the key on the page, where the stand-in was handed the
 * document itself, else by a number that nobody else faxed. Jobs to a shared number of a telephone engine share theirs:
 * each gets as many as were taken for it alone, in turn, and what is over goes to the last.
 */
function fatesOf(aftermath: MixedAftermath, provider: string): Fate[] {
  const sent = (aftermath.emulators.get(provider)?.faxes ?? []).filter(({ direction }) => direction === 'sent')
  const submissions = new Map(aftermath.ledger.flatMap((each) => [...each.ids].map((id) => [id, each] as const)))
  const own = aftermath.jobs.filter(({ backend }) => backend === provider)
  const left = new Set(sent)
  const fates = own.flatMap((job) => {
    const submission = submissions.get(job.id)
    return submission ? [{ job, submission, accepted: [] as EmulatedFax[] }] : []
  })
  const give = (fate: (typeof fates)[number], fax: EmulatedFax) => {
    fate.accepted.push(fax)
    left.delete(fax)
  }
  for (const fate of fates) {
    const { idempotencyKey } = fate.submission
    for (const fax of sent) if (keyIn(fax.pdf) === idempotencyKey) give(fate, fax)
  }
  // The gateway's own word pairs first; what it does not know of goes to whoever was left with nothing.
  for (const fate of fates) {
    const named = [...left].find(({ id, to }) => id === aftermath.sids.get(fate.job.id) && to === fate.submission.to)
    if (named && fate.accepted.length === 0) give(fate, named)
  }
  for (const fax of left) {
    const candidates = fates.filter(({ submission }) => digitsOf(submission.to) === digitsOf(fax.to))
    const fate = candidates.find(({ accepted }) => accepted.length === 0) ?? candidates.at(-1)
    if (fate) give(fate, fax)
  }
  return fates.map((fate) => ({ ...fate, accepted: printable(fate.accepted) }))
}

/** Handed over by a link that nobody could follow, because the gateway was dead: it ended without a page. */
const isPageless = ({ ending, pdf }: EmulatedFax) => ending === 'bad_document' && pdf.length === 0

/** Of several that a provider took for one fax, those that can have been printed: an attempt without a page is made again. */
function printable(accepted: readonly EmulatedFax[]): readonly EmulatedFax[] {
  const withPages = accepted.filter((fax) => !isPageless(fax))
  return accepted.length > 1 && withPages.length > 0 ? withPages : accepted
}

const digitsOf = (number: string) => number.replace(/\D/g, '')

/** Counts what became of the faxes of one provider. */
export function countOf(aftermath: MixedAftermath, provider: string): Count {
  const fates = fatesOf(aftermath, provider)
  const number = (is: (fate: Fate) => boolean) => fates.filter(is).length
  const expected = aftermath.delivered.filter((fax) => fax.provider === provider)
  const inbox = aftermath.inbox.filter(({ backend }) => backend === provider)
  const times = expected.map(({ providerId }) => inbox.filter((fax) => fax.provider_sid === providerId).length)
  return {
    faxes: fates.length,
    'kills meanwhile': aftermath.killsByProvider.get(provider) ?? 0,
    'accepted once': number(({ accepted }) => accepted.length === 1),
    'of them delivered': number(({ job, accepted }) => job.status === 'SUCCESS' && accepted.length === 1),
    uncertain: number(({ job }) => job.needs_attention),
    'uncertain and accepted': number(({ job, accepted }) => job.needs_attention && accepted.length > 0),
    lost: number(({ job, accepted }) => accepted.length === 0 && !job.needs_attention),
    doubled: number(({ accepted }) => accepted.length > 1),
    'came in': expected.length,
    'came in lost': times.filter((found) => found === 0).length,
    'came in doubled': times.filter((found) => found > 1).length + Math.max(0, inbox.length - expected.length),
  }
}

/** Every way in which what happened differs from what was promised, one sentence each; none when all is well. */
export function mixedFaults(aftermath: MixedAftermath): string[] {
  const { ledger, jobs, sids, emulators, inbox, delivered, chainIsIntact } = aftermath
  const known = new Set(jobs.map(({ id }) => id))
  const acknowledged = ledger.flatMap(({ ids }) => [...ids])
  return [
    ...ledger.filter(({ ids }) => ids.size !== 1).map((fax) => `${fax.idempotencyKey} has ${fax.ids.size} jobs.`),
    ...acknowledged.filter((id) => !known.has(id)).map((id) => `Job ${id} was acknowledged with 202 and is lost.`),
    ...(jobs.length === new Set(acknowledged).size ? [] : [`There are ${jobs.length} jobs of ${ledger.length} faxes.`]),
    ...[...emulators.keys()].flatMap((id) => fatesOf(aftermath, id).flatMap((fate) => faultsOf(id, fate, sids))),
    ...strangers(aftermath).map((fax) => `${fax} was accepted and belongs to no job.`),
    ...delivered.flatMap(({ provider, providerId }) => {
      const times = inbox.filter((fax) => fax.backend === provider && fax.provider_sid === providerId).length
      return times === 1 ? [] : [`${provider} ${providerId} is ${times} times in the inbox.`]
    }),
    ...(inbox.length === delivered.length ? [] : [`${delivered.length} faxes came in, ${inbox.length} are there.`]),
    ...inbox.filter(({ document_kept }) => !document_kept).map(({ id }) => `${id} of the inbox has no document.`),
    ...(chainIsIntact ? [] : ['The audit chain is broken.']),
  ]
}

function faultsOf(provider: string, { job, submission, accepted }: Fate, sids: MixedAftermath['sids']): string[] {
  const name = `${submission.idempotencyKey} to ${submission.to} over ${provider} (job ${job.id})`
  const ids = accepted.map(({ id }) => id)
  const each = accepted.map(({ id, ending, pages }) => `${id} (${String(ending)}, ${pages} pages)`)
  if (ids.length > 1) return [`${name} was accepted ${ids.length} times: ${each.join(', ')}.`]
  if (job.needs_attention) return []
  const end = `${job.status} ${job.error_kind ?? ''}`
  if (ids.length === 0) return [`${name} is ${end} and was never accepted.`]
  const sid = sids.get(job.id)
  if (sid !== ids[0]) return [`${name} is ${end} as ${String(sid)}, and the provider has it as ${String(ids[0])}.`]
  const isDelivered = ['delivered', 'unknown_word'].includes(accepted[0]?.ending ?? '')
  return (job.status === 'SUCCESS') === isDelivered
    ? []
    : [`${name} is ${end}, and at the provider ${String(accepted[0]?.ending)}.`]
}

/** What a provider took that no job of its accounts for. */
function strangers(aftermath: MixedAftermath): string[] {
  return [...aftermath.emulators].flatMap(([provider, { faxes }]) => {
    const claimed = new Set(fatesOf(aftermath, provider).flatMap(({ accepted }) => accepted))
    return faxes
      .filter((fax) => fax.direction === 'sent' && !claimed.has(fax) && !isPageless(fax))
      .map(({ id, to }) => `${provider} ${id} to ${to}`)
  })
}

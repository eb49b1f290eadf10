import type { HeldFax } from '@faxdeck/contract'
import { ProviderProblem, type StatusUpdate } from '@faxdeck/provider-kit'
import type { Database } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import type { GatewayContext } from '../../base/context.ts'
import { type Hold, holdOf, isHeld } from '../move/hold.ts'
import { addToTimeline } from '../move/timeline.ts'
import { Problem } from '../../base/http/answers/problem.ts'

const minute = 60_000
/**
 * The clock that the backup was made by may have been ahead, so a provider may have written down a fax of after the
 * backup hours before it. Faxes of before it are known and left out.
 */
const marginMs = 6 * 60 * minute
const askAgainMs = 15 * minute
const listTimeoutMs = 120_000
const atOnce = 100

type LookUpContext = Pick<GatewayContext, 'database' | 'providers' | 'breakers' | 'now'>

interface Listed {
  id: string | undefined
  digits: string
  at: Date
  state: StatusUpdate['state']
}

interface Answer {
  name: string
  listed: Listed[] | undefined
  shortError: string
}

type HeldJob = FaxJobRow & { hold: string }

const digitsOf = (number: string) => number.replace(/\D/g, '')

function heldJobs({ db }: Database): Promise<FaxJobRow[]> {
  return db.selectFrom('fax_jobs').selectAll().where('hold', 'is not', null).orderBy('id').execute()
}

async function askProvider(context: LookUpContext, id: string, since: Date, signal: AbortSignal): Promise<Answer> {
  const name = context.providers.find(id)?.name ?? id
  const unasked = { name, listed: undefined }
  const later = {
    ...unasked,
    shortError: `${name} could not be reached to check what it sent. Faxdeck will try again.`,
  }
  // It named a time before which it wants no question.
  if (context.breakers.quietUntil(id)) return later
  try {
    const { listSent } = context.providers.line(id)
    if (!listSent)
      return { ...unasked, shortError: `${name} has no list that Faxdeck can read. Check its own records.` }
    const updates = await listSent(since, AbortSignal.any([signal, AbortSignal.timeout(listTimeoutMs)]))
    const listed = updates.flatMap(({ providerId, to, at, state }) =>
      to === undefined || at === undefined || Number.isNaN(+at)
        ? []
        : [{ id: providerId, digits: digitsOf(to), at, state }],
    )
    return { name, listed, shortError: '' }
  } catch (error) {
    signal.throwIfAborted()
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    if (!(error instanceof ProviderProblem) && !(error instanceof Problem) && !isLate) throw error
    context.breakers.heed(id, error)
    return later
  }
}

async function knownIds({ db }: Database, provider: string, listed: readonly Listed[]): Promise<Set<string>> {
  const known = new Set<string>()
  const ids = listed.flatMap(({ id }) => id ?? [])
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = db.selectFrom('fax_attempts').select('provider_id').where('provider', '=', provider)
    const rows = await some.where('provider_id', 'in', ids.slice(from, from + atOnce)).execute()
    for (const { provider_id: id } of rows) if (id !== null) known.add(id)
  }
  return known
}

const stateWords = {
  queued: 'still waiting there',
  in_progress: 'still under way there',
  delivered: 'delivered',
  failed: 'failed',
} as const satisfies Record<StatusUpdate['state'], string>

function answerWords({ name, listed, shortError }: Answer, found: HeldFax['found']): string {
  if (!listed) return shortError
  const last = found.at(-1)
  if (!last) return `${name} lists no other fax to this number since the backup.`
  if (found.length === 1) return `${name} lists a fax to this number since the backup: ${stateWords[last.state]}.`
  return `${name} lists ${found.length} faxes to this number since the backup, the last one ${stateWords[last.state]}.`
}

/** What the providers that may have sent a fax say about it, as a hold. */
function informed(job: HeldJob, before: Hold, answers: readonly Answer[], now: Date): Hold {
  const from = Date.parse(before.as_of) - marginMs
  const each = answers.map((answer) => {
    const ours = (answer.listed ?? []).filter(({ digits, at }) => digits === digitsOf(job.to_number) && +at >= from)
    const found = ours.map(({ at, state }) => ({ provider: answer.name, at: at.toISOString(), state }))
    const inOrder = found.toSorted((a, b) => a.at.localeCompare(b.at))
    return { found: inOrder, words: answerWords(answer, inOrder) }
  })
  const found = each.flatMap((one) => one.found).toSorted((a, b) => a.at.localeCompare(b.at))
  const answer = each.map(({ words }) => words).join(' ')
  // Not asked while somebody could not be: only then may an empty list be read as "not sent".
  const complete = answers.every(({ listed }) => listed !== undefined)
  return { ...before, asked_at: complete ? now.toISOString() : null, answer, found }
}

/** Writes what was learned, unless a person has released or canceled the fax meanwhile. */
async function writeAll({ database, now }: LookUpContext, changes: readonly { job: HeldJob; hold: Hold }[]) {
  for (let from = 0; from < changes.length; from += atOnce) {
    await transact(database, async (tx) => {
      for (const { job, hold } of changes.slice(from, from + atOnce)) {
        const row = tx
          .updateTable('fax_jobs')
          .set({ hold: JSON.stringify(hold) })
          .where('id', '=', job.id)
        const { numUpdatedRows } = await row.where('hold', '=', job.hold).executeTakeFirst()
        const isNews = hold.answer !== null && hold.answer !== holdOf(job)?.answer
        if (Number(numUpdatedRows) === 0 || !isNews) continue
        const at = now().toISOString()
        const entry = { job_id: job.id, at, event: 'provider_list', sentence: hold.answer ?? '', until: null }
        await addToTimeline(tx, [entry])
      }
      await database.signals.notify(tx, 'jobs')
    })
  }
}

const isDue = (hold: Hold, now: Date) => hold.asked_at === null || +now - Date.parse(hold.asked_at) >= askAgainMs

/**
 * Asks the providers that may have sent held faxes what they list since the backup, and writes it into each: after a
 * restore this is all that tells a person what may be released. Asks again every 15 minutes while faxes are held.
 * @param only the id of a fax to ask about now, however lately it was
 */
export async function lookUpHeld(context: LookUpContext, signal: AbortSignal, only?: string): Promise<void> {
  const { database, providers, now } = context
  const jobs = (await heldJobs(database)).flatMap((job): { job: HeldJob; hold: Hold }[] => {
    const hold = holdOf(job)
    const asks = only === undefined ? hold && isDue(hold, now()) : job.id === only
    return job.hold !== null && hold && isHeld(job) && asks ? [{ job: { ...job, hold: job.hold }, hold }] : []
  })
  if (jobs.length === 0) return
  const oldest = Math.min(...jobs.map(({ hold }) => Date.parse(hold.as_of)))
  const answers = new Map<string, Promise<Answer>>()
  const ask = (id: string): Promise<Answer> => {
    const asked = answers.get(id) ?? askAndSift(context, id, new Date(oldest - marginMs), signal)
    answers.set(id, asked)
    return asked
  }
  const changes: { job: HeldJob; hold: Hold }[] = []
  for (const { job, hold } of jobs) {
    const standIn = providers.standIn(job.backend)
    const ids = standIn ? [job.backend, standIn.id] : [job.backend]
    changes.push({ job, hold: informed(job, hold, await Promise.all(ids.map(ask)), now()) })
  }
  await writeAll(context, changes)
}

/** What a provider lists, without the faxes that our records know. */
async function askAndSift(context: LookUpContext, id: string, since: Date, signal: AbortSignal): Promise<Answer> {
  const answer = await askProvider(context, id, since, signal)
  if (!answer.listed) return answer
  const known = await knownIds(context.database, id, answer.listed)
  return { ...answer, listed: answer.listed.filter((fax) => fax.id === undefined || !known.has(fax.id)) }
}

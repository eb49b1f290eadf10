import { ProviderProblem } from '@faxdeck/provider-kit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../base/db/connect.ts'
import { afterCommit } from '../../base/db/transact.ts'
import { newPostgresDatabase, waitForPostgres } from '../../testing/databases.ts'
import { type FaultyWay, faultyWay } from '../../testing/faulty-way.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, providerIdOf } from '../../testing/made-line.ts'

const outageMs = 750

/** Whoever asks how long he has waited for the database has lost his patience long before it is back. */
function hurry(): void {
  const now = performance.now.bind(performance)
  const from = now()
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => from + (now() - from) * 20)
  onTestFinished(() => spy.mockRestore())
}

function goAway(way: FaultyWay): void {
  way.cut()
  hurry()
  setTimeout(way.mend, outageMs)
}

async function deskOverFaultyWay() {
  const way = await faultyWay(await newPostgresDatabase())
  const database = await connect(way.url)
  onTestFinished(() => database.close())
  const made = makeLine({ find: false })
  return { way, made, ...(await faxDesk(database, made)) }
}

describe('a database that goes away while a provider has the fax in hand', () => {
  waitForPostgres()

  it('is told what the provider answered as soon as it is back', async () => {
    const { way, made, submit, work, jobOf } = await deskOverFaultyWay()
    const { id } = await submit()
    made.answers.push(async () => {
      goAway(way)
      return undefined
    })
    await work()
    expect(made.handed).toHaveLength(1)
    const providerId = providerIdOf(made.handed[0]?.attemptId ?? '')
    expect(await jobOf(id)).toMatchObject({ phase: 'accepted', provider_id: providerId, attempt_count: 1 })
  })

  it('is told of the end too, which came with the same answer', async () => {
    const { way, made, submit, work, jobOf, context } = await deskOverFaultyWay()
    const { id } = await submit()
    made.answers.push(async () => ({ state: 'delivered', pagesConfirmed: 1 }))
    const { jobUpdated } = context.events
    vi.spyOn(context.events, 'jobUpdated').mockImplementationOnce(async (facts, tx) => {
      if (tx) afterCommit(tx, () => goAway(way))
      await jobUpdated(facts, tx)
    })
    await work()
    expect(await jobOf(id)).toMatchObject({ phase: 'delivered', attempt_count: 1 })
  })

  it('is told of a refusal too', async () => {
    const { way, made, submit, work, jobOf } = await deskOverFaultyWay()
    const { id } = await submit()
    made.answers.push(async () => {
      goAway(way)
      throw new ProviderProblem('rejected', 'This number is not served.')
    })
    await work()
    expect(await jobOf(id)).toMatchObject({ phase: 'failed', error_kind: 'rejected' })
  })
})

describe('a connection that breaks while the next step is committed', () => {
  waitForPostgres()

  it.each(['before', 'after'] as const)('(%s the server did) hands the fax over once', async (when) => {
    const { way, made, submit, work, jobOf, context } = await deskOverFaultyWay()
    const { id } = await submit()
    const held = context.queue.held
    context.queue.held = (tx, claims) => {
      context.queue.held = held
      way.breakAtCommit(when)
      return held(tx, claims)
    }
    await work()
    expect(made.handed).toHaveLength(1)
    expect(await jobOf(id)).toMatchObject({ phase: 'accepted', attempt_count: 1 })
  })

  it.each(['before', 'after'] as const)('(%s the server did) accepts a fax once', async (when) => {
    const { way, submit, context } = await deskOverFaultyWay()
    way.breakAtCommit(when)
    const { id } = await submit()
    const jobs = await context.database.db.selectFrom('fax_jobs').select('id').execute()
    expect(jobs).toEqual([{ id }])
    expect(await context.queue.depth()).toMatchObject({ waiting: 1 })
  })
})

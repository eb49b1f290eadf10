import { type UncertainAttempt, ProviderProblem } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { deskStart, faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, providerIdOf } from '../../testing/made-line.ts'
import { cancelFax } from './cancel.ts'
import { report } from './report.ts'

const minute = 60_000
const hour = 60 * minute
const cut = () => Promise.reject(new Error('cut'))
const other = expect.stringContaining('through a different account') as unknown

onSqliteFirst((open) => {
  /** A fax whose connection broke while it was handed over, and what the provider is asked about it. */
  async function lostFax() {
    const made = makeLine({ find: false })
    made.account = 'first'
    const theirs = { ms: deskStart + 5 * hour, ageMs: 0, evenSinceMs: 0 }
    made.clock = () => ({
      now: new Date(theirs.ms),
      aheadMs: 5 * hour,
      ageMs: theirs.ageMs,
      steadyMs: theirs.ms,
      evenSinceMs: theirs.evenSinceMs,
    })
    const asked: UncertainAttempt[] = []
    const says: { taken: false | undefined } = { taken: undefined }
    made.line.find = (_attemptId, _signal, facts) => {
      asked.push(facts)
      if (says.taken === undefined) throw new ProviderProblem('uncertain', 'It does not tell.')
      return Promise.resolve({ taken: says.taken })
    }
    const desk = await faxDesk(await open(), made)
    const { id } = await desk.submit()
    made.answers.push(cut)
    await desk.work()
    const look = async () => {
      desk.pass(48 * hour)
      while (await desk.work());
      return desk.jobOf(id)
    }
    return { ...desk, made, id, theirs, asked, says, look }
  }

  describe('an attempt that may have been taken', () => {
    it('is dated by the clock of its provider, kept when it was first asked, and by nothing of ours', async () => {
      const { asked, look, theirs, pass } = await lostFax()
      theirs.ms += minute
      await look()
      pass(-hour)
      theirs.ms += hour
      await look()
      await look()
      const [first, ...later] = asked
      expect(first).toMatchObject({ begunAfter: new Date(deskStart + 5 * hour), overBy: undefined })
      const overBy = new Date(deskStart + 5 * hour + minute + 1000)
      expect(later.length).toBeGreaterThan(0)
      for (const each of later) expect(each.overBy).toEqual(overBy)
      expect(asked.at(-1)?.clock()).toEqual(new Date(theirs.ms))
    })

    it('is dated anew where the clock of its provider was set, and where another process asks', async () => {
      const { asked, look, theirs } = await lostFax()
      await look()
      theirs.ms += 30 * minute
      await look()
      expect(asked.at(-1)?.overForMs()).toBe(30 * minute)
      theirs.evenSinceMs = theirs.ms
      await look()
      theirs.ms += minute
      await look()
      expect(asked.at(-1)?.overBy).toEqual(new Date(deskStart + 5 * hour + 30 * minute + 1000))
      expect(asked.at(-1)?.overForMs()).toBe(minute)
    })

    it('is not called over by an answer from before it was asked about', async () => {
      const { asked, look, theirs } = await lostFax()
      theirs.ageMs = hour
      await look()
      await look()
      expect(asked.at(-1)?.overBy).toBeUndefined()
    })

    it('has the latest fax that the same account took for its witness', async () => {
      const { asked, look, submit, work, made, pass } = await lostFax()
      await look()
      expect(await asked.at(-1)?.witness()).toBeUndefined()
      await submit({ to_number: '+15555550177' })
      made.account = 'second'
      await work()
      made.account = 'first'
      await look()
      expect(await asked.at(-1)?.witness()).toBeUndefined()
      pass(minute)
      await submit({ to_number: '+15555550188' })
      while (await work());
      const attemptId = made.handed.at(-1)?.attemptId ?? ''
      await look()
      expect(await asked.at(-1)?.witness()).toEqual({
        attemptId,
        providerId: providerIdOf(attemptId),
        to: '+15555550188',
      })
    })

    it('is sent again once its provider proves that it was not taken', async () => {
      const { says, look, work, made, jobOf, id } = await lostFax()
      says.taken = false
      await look()
      await work()
      expect(made.handed).toHaveLength(2)
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', attempt_count: 2 })
    })
  })

  describe('an attempt of another account', () => {
    it('is asked about nowhere, and left to a person who reads why, until its account is back', async () => {
      const { says, made, look, asked } = await lostFax()
      says.taken = false
      made.account = 'second'
      expect(await look()).toMatchObject({ phase: 'uncertain', error: other })
      expect(await look()).toMatchObject({ phase: 'uncertain', error: other, attempt_count: 1 })
      expect(asked).toEqual([])
      made.account = 'first'
      says.taken = undefined
      expect((await look()).error).not.toEqual(other)
      says.taken = false
      await look()
      expect(made.handed).toHaveLength(2)
    })

    it('whose account was not kept is not proved absent either', async () => {
      const { says, look, context } = await lostFax()
      says.taken = false
      await context.database.db.updateTable('fax_attempts').set({ account: null }).execute()
      expect(await look()).toMatchObject({ phase: 'uncertain', attempt_count: 1 })
    })

    /** A fax that the first account took, after which another one is set up. */
    async function acceptedElsewhere() {
      const made = makeLine()
      made.account = 'first'
      const desk = await faxDesk(await open(), made)
      const { id } = await desk.submit()
      await desk.work()
      const providerId = (await desk.jobOf(id)).provider_id ?? ''
      made.account = 'second'
      // The other account has a fax of its own under that id.
      made.statuses.set(providerId, { state: 'failed', kind: 'busy', sentence: 'Busy.' })
      made.line.cancel = () => Promise.resolve(true)
      return { ...desk, made, id, providerId }
    }

    it('is not followed or canceled there, and becomes uncertain soon', async () => {
      const { id, jobOf, work, pass, context, made } = await acceptedElsewhere()
      pass(minute)
      await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', error: null })
      await expect(cancelFax(context, id, 'test')).rejects.toMatchObject({ code: 'conflict', message: other })
      pass(11 * minute)
      await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'uncertain', error: other })
      expect(made.handed).toHaveLength(1)
    })

    it('is told about by its own callbacks, and not by the list of the other account', async () => {
      const { id, jobOf, context, providerId } = await acceptedElsewhere()
      expect(await report(context, 'made', { providerId, state: 'delivered' }, { account: 'second' })).toBe(false)
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted' })
      expect(await report(context, 'made', { providerId, state: 'delivered' })).toBe(true)
      expect(await jobOf(id)).toMatchObject({ phase: 'delivered' })
    })

    it('that its provider has accepted is never taken for one it did not take', async () => {
      const { id, jobOf, context, made, work, pass } = await acceptedElsewhere()
      made.account = 'first'
      made.line.find = () => Promise.resolve({ taken: false })
      made.statuses.clear()
      const attemptId = made.handed[0]?.attemptId ?? ''
      await report(context, 'made', { attemptId, state: 'failed', kind: 'uncertain', sentence: 'Gone.' })
      for (let days = 0; days < 3; days += 1, pass(24 * hour)) await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'uncertain', attempt_count: 1 })
    })
  })
})

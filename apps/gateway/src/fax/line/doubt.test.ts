import type { StatusUpdate } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, providerIdOf } from '../../testing/made-line.ts'
import { readJob } from '../read/read-job.ts'
import { withdrawDocumentLink } from '../facts/document-link.ts'
import { report } from './report.ts'

const minute = 60_000
const doubt = (why: string) => `Made line sent an answer that does not fit this fax: ${why}. Faxdeck ignored it.`

onSqliteFirst((open) => {
  /** A fax that its provider has accepted. */
  async function accepted() {
    const made = makeLine()
    const database = await open()
    const desk = await faxDesk(database, made)
    const { id } = await desk.submit()
    let link = ''
    const withLink = () => made.answers.push(async (fax) => ((link = await fax.documentUrl()), undefined))
    const say = (update: Partial<StatusUpdate>, to = id) =>
      desk
        .jobOf(to)
        .then((job) => report(desk.context, 'made', { attemptId: job.attempt_id ?? '', state: 'delivered', ...update }))
    const read = (of = id) => readJob(desk.context, of)
    const notes = async (of = id) =>
      (await read(of)).timeline.filter(({ sentence }) => sentence.includes('does not fit')).map((each) => each.sentence)
    return { ...desk, made, database, id, say, read, notes, withLink, linkOf: () => link }
  }

  describe('an answer that does not fit the fax it seems to be about', () => {
    it.each([
      ['another id', { providerId: 'made-x' }, 'it names another id'],
      ['another number', { to: '+15555550199' }, 'it names another number'],
      ['the reference of another fax', { reference: 'f'.repeat(32) }, 'it carries the reference of another fax'],
      ['another account', { account: 'second' }, 'it comes from another account'],
    ])('with %s leaves its outcome unknown, is noted once, and overwrites nothing', async (_what, update, why) => {
      const { made, say, work, read, notes, jobOf, id } = await accepted()
      made.provider.accountId = () => 'first'
      await work()
      const sid = (await jobOf(id)).provider_id
      await say(update)
      await say(update)
      expect(await read()).toMatchObject({ status: 'in_progress', error_kind: 'uncertain', provider_sid: sid })
      expect([...(await notes()), (await read()).error]).toEqual([doubt(why), doubt(why)])
    })

    it('is settled by the next true answer to a question about its own id, and not by a list', async () => {
      const { made, say, work, read, jobOf, id, pass } = await accepted()
      await work()
      made.line.find = () => Promise.reject(new Error('The list has nothing to say about a fax whose id is known.'))
      const { provider_id: sid } = await jobOf(id)
      made.statuses.set(sid ?? '', { providerId: 'made-x', state: 'delivered' })
      await say({ to: '+15555550199' })
      pass(minute)
      while (await work());
      expect((await read()).error).toBe(doubt('it names another id'))
      made.statuses.set(sid ?? '', { providerId: sid ?? '', state: 'delivered', pagesConfirmed: 1 })
      pass(60 * minute)
      while (await work());
      expect(await read()).toMatchObject({ status: 'SUCCESS', provider_sid: sid, error: null })
    })

    it('is noted once, and changes nothing, where the fax has ended', async () => {
      const { say, work, read, notes } = await accepted()
      await work()
      await say({ pagesConfirmed: 1 })
      for (let times = 0; times < 2; times += 1) await say({ to: '+15555550199', state: 'failed', kind: 'busy' })
      expect(await read()).toMatchObject({ status: 'SUCCESS', needs_attention: false })
      const ended = 'The attempt had already ended, so nothing was changed.'
      expect(await notes()).toEqual([`${doubt('it names another number')} ${ended}`])
    })
  })

  describe('two faxes with one id', () => {
    const sameId = async () => {
      const desk = await accepted()
      desk.made.line.send = async () => ({ providerId: 'same', update: { state: 'delivered', pagesConfirmed: 1 } })
      await desk.work()
      const second = (await desk.submit({ to_number: '+15555550188' })).id
      return { ...desk, second }
    }

    it('are not both delivered: it is unknown whether the second was taken', async () => {
      const { work, read, notes, second } = await sameId()
      await work()
      expect(await read()).toMatchObject({ status: 'SUCCESS', provider_sid: 'same' })
      expect(await read(second)).toMatchObject({ status: 'in_progress', error_kind: 'uncertain', provider_sid: null })
      expect(await notes(second)).toEqual([doubt('its id belongs to another fax of ours')])
    })

    it('may be of two accounts', async () => {
      const { made, work, read, second } = await sameId()
      made.account = 'second'
      await work()
      expect(await read(second)).toMatchObject({ status: 'SUCCESS', provider_sid: 'same' })
    })
  })

  describe('a document that nobody has fetched', () => {
    it('cannot have been delivered', async () => {
      const { say, work, read, notes, withLink, database } = await accepted()
      withLink()
      await work()
      await say({ pagesConfirmed: 1 })
      expect(await read()).toMatchObject({ status: 'in_progress', error_kind: 'uncertain' })
      expect(await notes()).toEqual([doubt('it reports a delivery, but nobody has fetched the document')])
      await database.db.updateTable('document_tokens').set({ given_at: 'now' }).execute()
      await say({ pagesConfirmed: 1 })
      expect(await read()).toMatchObject({ status: 'SUCCESS' })
    })

    it('outranks whatever the list shows, and proves the same when its provider was asked before a crash', async () => {
      const { made, database, id, work, withLink, jobOf, pass } = await accepted()
      made.line.find = () => Promise.resolve({ taken: true, providerId: 'of-a-stranger' })
      withLink()
      made.answers[0] = async (fax) => {
        await fax.documentUrl()
        throw new Error('The connection broke.')
      }
      await work()
      const { attempt_id: attemptId } = await jobOf(id)
      expect(await withdrawDocumentLink(database, attemptId ?? '')).toBe(true)
      pass(minute)
      while (await work());
      const job = await jobOf(id)
      expect(job).toMatchObject({ attempt_count: 2, provider_id: providerIdOf(job.attempt_id ?? '') })
    })
  })

  it('a fax that is found, but goes to another number, is not ours', async () => {
    const { made, id, work, jobOf, pass } = await accepted()
    const update = { state: 'queued', to: '+15555550199' } as const
    made.line.find = () => Promise.resolve({ taken: true, providerId: 'found', update })
    made.answers.push(() => Promise.reject(new Error('The connection broke.')))
    await work()
    pass(minute)
    while (await work());
    expect(await jobOf(id)).toMatchObject({ phase: 'uncertain', provider_id: null, attempt_count: 1 })
  })
})

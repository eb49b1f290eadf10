import { existsSync } from 'node:fs'
import { type OutgoingFax, ProviderProblem } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { deskStart, faxDesk } from '../../testing/fax-desk.ts'
import { LeaseLost } from '../../base/queue/queue.ts'
import { StorageProblem } from '../../base/storage/storage.ts'
import { makeLine, providerIdOf, refusing } from '../../testing/made-line.ts'
import { pagesPath } from '../facts/drawn-pages.ts'
import { advance } from '../move/advance.ts'
import { isHeld } from '../move/hold.ts'
import { createFaxes } from '../feature.ts'
import { deliver } from './deliver.ts'
import { expireFaxes } from '../expire.ts'
import { report } from './report.ts'

const minute = 60_000
/** Fetches the document by its link, as a provider does. */
type Link = () => unknown

onEachDatabase((open) => {
  describe('handing over', () => {
    it('is committed before the provider is called, and accepted after it has answered', async () => {
      const made = makeLine()
      const { submit, work, jobOf } = await faxDesk(await open(), made)
      const { id } = await submit()
      made.answers.push(async (fax) => {
        expect(await jobOf(id)).toMatchObject({ phase: 'submitting', attempt_id: fax.attemptId, attempt_count: 1 })
        return undefined
      })
      await work()
      const [fax] = made.handed
      expect(fax).toMatchObject({ jobId: id, to: '+15555550123', pages: 1 })
      expect(Buffer.from((await fax?.pdf()) ?? []).toString('latin1', 0, 5)).toBe('%PDF-')
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', provider_id: providerIdOf(fax?.attemptId ?? '') })
    })

    it('does not begin after the process stood still for so long that another may be at work on the fax', async () => {
      const made = makeLine()
      const desk = await faxDesk(await open(), made)
      const { id } = await desk.submit()
      const claim = await desk.claimOne()
      if (!claim) throw new Error('There is no work.')
      claim.heldUntil = performance.now()
      const job = await desk.jobOf(id)
      await expect(deliver(desk.context, job, claim, new AbortController().signal)).rejects.toThrow(LeaseLost)
      expect(made.handed).toEqual([])
      expect(await desk.jobOf(id)).toMatchObject({ phase: 'waiting_retry', attempt_count: 1 })
      await desk.work()
      expect(made.handed).toHaveLength(1)
      expect(await desk.jobOf(id)).toMatchObject({ phase: 'accepted' })
    })

    it.each(['taken', 'cut off'] as const)(
      'that was %s and then forgotten by the database, as by a standby that lagged behind, is held',
      async (end) => {
        const database = await open()
        const made = makeLine()
        const { submit, work, jobOf, pass } = await faxDesk(database, made)
        const { id, phase, status } = await submit()
        made.answers.push(async ({ attemptId }) => {
          await database.db.deleteFrom('fax_attempts').where('id', '=', attemptId).execute()
          const before = { phase, status, attempt_id: null, attempt_count: 0 }
          await database.db.updateTable('fax_jobs').set(before).where('id', '=', id).execute()
          if (end === 'cut off') throw new Error('The connection broke.')
          return undefined
        })
        await work()
        pass(60 * minute)
        expect(await work()).toBe(false)
        expect(made.handed).toHaveLength(1)
        expect(isHeld(await jobOf(id))).toBe(true)
      },
    )

    it('begins only when the PDF of a text is drawn', async () => {
      const made = makeLine()
      const { context, submit, work, jobOf } = await faxDesk(await open(), made)
      const { id } = await submit()
      const phases: string[] = []
      const drawing = { ...context.documents }
      context.documents.toPdf = async (...given) => {
        phases.push((await jobOf(id)).phase)
        return drawing.toPdf(...given)
      }
      await work()
      const pdf = Buffer.from((await made.handed[0]?.pdf()) ?? [])
      expect([pdf.toString('latin1', 0, 5), phases]).toEqual(['%PDF-', ['queued']])
    })

    it('does not begin with a document that cannot be drawn', async () => {
      const made = makeLine()
      const { context, submit, work, jobOf } = await faxDesk(await open(), made)
      const { id, document_key } = await submit({ document_kind: 'png' })
      await context.storage.put(document_key ?? '', Buffer.from('\x89PNG\r\n\x1a\nbroken off', 'latin1'))
      await work()
      expect(made.handed).toEqual([])
      expect(await jobOf(id)).toMatchObject({ status: 'FAILED', error_kind: 'bad_document', attempt_count: 0 })
    })

    it('does not begin while the document cannot be read', async () => {
      const made = makeLine()
      const { context, submit, work, jobOf } = await faxDesk(await open(), made)
      const { id } = await submit({ document_kind: 'pdf' })
      context.storage.get = () => Promise.reject(new StorageProblem('unreachable', 'The storage is away.'))
      await expect(work()).rejects.toThrow('The storage is away.')
      expect(await jobOf(id)).toMatchObject({ phase: 'queued', attempt_count: 0 })
    })

    it('takes the report of a callback that is faster than the answer', async () => {
      const made = makeLine()
      const { context, submit, work, jobOf } = await faxDesk(await open(), made)
      const { id } = await submit()
      made.answers.push(async ({ attemptId }) => {
        await report(context, 'made', { attemptId, state: 'delivered', pagesConfirmed: 1 })
        return undefined
      })
      await work()
      const job = await jobOf(id)
      expect(job).toMatchObject({ status: 'SUCCESS', pages_confirmed: 1 })
      expect(job.provider_id).toBe(providerIdOf(job.attempt_id ?? ''))
    })

    it('that is refused as busy is tried again after three minutes, and not before', async () => {
      const made = makeLine()
      const { submit, work, jobOf, pass } = await faxDesk(await open(), made)
      const { id } = await submit()
      made.answers.push(refusing('busy', 'The line was busy.'))
      await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'waiting_retry', status: 'in_progress', error_kind: 'busy' })
      pass(3 * minute - 1)
      expect(await work()).toBe(false)
      pass(1)
      await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', attempt_count: 2, error: null })
    })

    it('gives up after the last try', async () => {
      const made = makeLine()
      const { submit, work, jobOf, pass } = await faxDesk(await open(), made)
      const { id } = await submit()
      made.answers.push(...Array.from({ length: 4 }, () => refusing('busy', 'The line was busy.')))
      for (let n = 0; n < 4; n++, pass(3 * minute)) await work()
      expect(await jobOf(id)).toMatchObject({ status: 'FAILED', error_kind: 'busy', attempt_count: 4 })
      expect(await work()).toBe(false)
    })

    it('fails at once when the document is gone', async () => {
      const made = makeLine({ requiresPages: true })
      const { context, submit, work, jobOf } = await faxDesk(await open(), made)
      const { id, document_key } = await submit()
      await context.storage.remove(document_key ?? '')
      await work()
      expect(await jobOf(id)).toMatchObject({ status: 'FAILED', error_kind: 'bad_document', attempt_count: 0 })
    })

    it('leaves other faxes to the number waiting until the call has ended', async () => {
      const made = makeLine()
      const { context, submit, work, jobOf } = await faxDesk(await open(), made)
      await submit()
      const second = await submit()
      await work()
      expect(await work()).toBe(false)
      const [fax] = made.handed
      await report(context, 'made', { attemptId: fax?.attemptId ?? '', state: 'delivered', pagesConfirmed: 1 })
      await work()
      expect(made.handed).toHaveLength(2)
      expect((await jobOf(made.handed[1]?.jobId ?? '')).phase).toBe('accepted')
      expect([fax?.jobId, made.handed[1]?.jobId]).toContain(second.id)
    })
  })

  describe('a worker that dies', () => {
    /** The provider has answered, or not, and nothing of that is recorded. */
    const dieDuring = async (taken: boolean, find: boolean) => {
      const made = makeLine({ find })
      const desk = await faxDesk(await open(), made)
      const { id } = await desk.submit()
      const death = new AbortController()
      made.answers.push(async () => {
        death.abort(new Error('killed'))
        throw new Error('killed')
      })
      await expect(desk.work(death.signal)).rejects.toThrow('killed')
      const { phase, attempt_id } = await desk.jobOf(id)
      expect(phase).toBe('submitting')
      if (taken) await made.line.send({ ...made.handed[0], attemptId: attempt_id ?? '' } as never, death.signal)
      made.handed.length = 0
      desk.pass(15_000)
      await desk.work()
      return { ...desk, made, id }
    }

    it('after the fax was taken does not send it twice', async () => {
      const { jobOf, id, made } = await dieDuring(true, true)
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', attempt_count: 1 })
      expect(made.handed).toEqual([])
    })

    it('is made good by a provider that only lists its faxes, or left to a person', async () => {
      const made = makeLine({ find: false })
      const theirs: string[] = []
      made.line.find = async (_attemptId, _signal, { to, at, isKnown }) => {
        expect([to, at.getTime(), await isKnown('another')]).toEqual(['+15555550123', deskStart, false])
        const [providerId] = theirs
        if (providerId === undefined) throw new ProviderProblem('uncertain', 'It does not tell.')
        return { taken: true, providerId }
      }
      const { submit, work, jobOf, pass } = await faxDesk(await open(), made)
      const { id } = await submit()
      made.answers.push(() => Promise.reject(new Error('cut')))
      await work()
      pass(minute)
      await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'uncertain', provider_id: null })
      theirs.push('made-7')
      pass(60 * minute)
      await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', provider_id: 'made-7', attempt_count: 1 })
    })

    it('leaves two faxes to one number apart while neither is known to the provider', async () => {
      const made = makeLine({ find: false })
      const rivals: boolean[] = []
      made.line.find = async (_attemptId, _signal, { hasRival }) => {
        rivals.push(await hasRival())
        throw new ProviderProblem('uncertain', 'It does not tell.')
      }
      const { submit, work, pass } = await faxDesk(await open(), made)
      const cut = () => Promise.reject(new Error('cut'))
      made.answers.push(cut, cut)
      await submit()
      await work()
      pass(minute)
      await work()
      await submit()
      await work()
      pass(minute)
      await work()
      expect([rivals[0], rivals.at(-1)]).toEqual([false, true])
    })

    it('before the fax was taken lets it be sent again at once', async () => {
      const { jobOf, id, made, work } = await dieDuring(false, true)
      expect(await jobOf(id)).toMatchObject({ phase: 'waiting_retry' })
      await work()
      expect(made.handed).toHaveLength(1)
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', attempt_count: 2 })
    })

    it('leaves the fax to a person where the provider cannot say', async () => {
      const { jobOf, id, made, work, pass } = await dieDuring(false, false)
      for (let hours = 0; hours < 48; hours++, pass(60 * minute)) await work()
      expect(made.handed).toEqual([])
      expect(await jobOf(id)).toMatchObject({ phase: 'uncertain', status: 'in_progress', error_kind: 'uncertain' })
    })

    describe('once it has given a link away', () => {
      /** The gateway dies after the provider was given a link, and in whatever other way; `use` comes before the restart. */
      const dieWithLink = async (
        give: (fax: OutgoingFax) => Promise<unknown>,
        use: (link: Link) => unknown = () => {},
      ) => {
        const made = makeLine({ find: false })
        const desk = await faxDesk(await open(), made)
        const { id } = await desk.submit()
        const death = new AbortController()
        let link = ''
        made.answers.push(async (fax) => {
          await give(fax)
          link = await fax.documentUrl()
          death.abort(new Error('killed'))
          throw new Error('killed')
        })
        await expect(desk.work(death.signal)).rejects.toThrow('killed')
        const { routes } = await createFaxes(desk.context)
        const query = { token: new URL(link).searchParams.get('token') ?? '' }
        const fetched = () => routes.getFaxPdf({ params: { id }, query } as Parameters<typeof routes.getFaxPdf>[0])
        await use(fetched)
        desk.pass(15_000)
        await desk.work()
        return { ...desk, made, id, fetched }
      }

      it('takes it back and sends again where nobody has used it', async () => {
        const { jobOf, id, fetched, work, made } = await dieWithLink(async () => {})
        expect(await jobOf(id)).toMatchObject({ phase: 'waiting_retry', error: null })
        await expect(fetched()).rejects.toMatchObject({ code: 'token_refused' })
        await work()
        expect(made.handed).toHaveLength(2)
        expect(await jobOf(id)).toMatchObject({ phase: 'accepted', attempt_count: 2 })
      })

      it('together with the attempt, and died before it was asked for, takes it back and sends again', async () => {
        const made = makeLine({ find: false })
        made.line.fetchesDocument = true
        const desk = await faxDesk(await open(), made)
        const { id } = await desk.submit()
        const death = new AbortController()
        made.answers.push(() => {
          death.abort(new Error('killed'))
          return Promise.reject(new Error('killed'))
        })
        await expect(desk.work(death.signal)).rejects.toThrow('killed')
        // However late it is found, and whatever was swept meanwhile.
        desk.pass(72 * 60 * minute)
        await expireFaxes(desk.context)
        await desk.work()
        expect(await desk.jobOf(id)).toMatchObject({ phase: 'waiting_retry', error: null })
        const { routes } = await createFaxes(desk.context)
        const late = new URL((await made.handed[0]?.documentUrl()) ?? '')
        const query = { token: late.searchParams.get('token') ?? '' }
        const fetched = routes.getFaxPdf({ params: { id }, query } as Parameters<typeof routes.getFaxPdf>[0])
        await expect(fetched).rejects.toMatchObject({ code: 'token_refused' })
        await desk.work()
        expect(made.handed).toHaveLength(2)
      })

      it('leaves the fax to a person where the document was fetched', async () => {
        const { jobOf, id, fetched } = await dieWithLink(
          async () => {},
          (fetch) => fetch(),
        )
        expect(await jobOf(id)).toMatchObject({ phase: 'uncertain' })
        expect(await fetched()).toMatchObject({ fileName: `fax_${id}.pdf` })
      })

      it.each([
        ['before', async (fax: OutgoingFax) => fax.pdf()],
        ['after', async (fax: OutgoingFax) => fax.documentUrl().then(() => fax.pdf())],
      ])('leaves the fax to a person where the document itself was given too, %s the link', async (_when, give) => {
        const { jobOf, id } = await dieWithLink(give)
        expect(await jobOf(id)).toMatchObject({ phase: 'uncertain' })
      })
    })

    it('and comes back late cannot hand the fax over', async () => {
      const made = makeLine()
      const { submit, claimOne, context, pass } = await faxDesk(await open(), made)
      const { id } = await submit()
      const late = await claimOne()
      pass(15_000)
      await claimOne()
      await expect(advance(context, id, { to: 'submitting', attemptId: 'a' }, late)).rejects.toThrow('has passed')
      expect(made.handed).toEqual([])
    })
  })

  it('pages that were drawn for an earlier provider are gone when another one, which needs none, has delivered the fax', async () => {
    const made = makeLine({ requiresPages: true })
    const other = makeLine({ id: 'other' })
    const { context, submit, work, pass } = await faxDesk(await open(), made, other)
    const { id } = await submit()
    made.answers.push(refusing('unreachable', 'Away.'))
    await work()
    const areThere = () => existsSync(pagesPath(context, id))
    expect(areThere()).toBe(true)
    await advance(context, id, { to: 'rerouted', backend: 'other' })
    other.answers.push(async () => ({ state: 'delivered', pagesConfirmed: 1 }))
    pass(minute)
    await work()
    expect([made.handed.length, other.handed.length]).toEqual([1, 1])
    await expect.poll(areThere).toBe(false)
  })

  describe('a fax whose callback does not come', () => {
    it('is asked about, with growing pauses', async () => {
      const made = makeLine()
      const database = await open()
      const { context, submit, work, jobOf, pass } = await faxDesk(database, made)
      const { id } = await submit()
      await work()
      const { provider_id } = await jobOf(id)
      made.statuses.set(provider_id ?? '', { state: 'in_progress', word: 'sending' })
      // A gateway beside this one, whose clock is behind, wrote down when it was accepted.
      const accepted_at = new Date(context.now().getTime() - 11 * minute).toISOString()
      await database.db.updateTable('fax_attempts').set({ accepted_at }).execute()
      pass(15_000)
      expect(await work()).toBe(true)
      pass(29_999)
      expect(await work()).toBe(false)
      made.statuses.set(provider_id ?? '', { state: 'delivered', pagesConfirmed: 1 })
      pass(1)
      await work()
      expect(await jobOf(id)).toMatchObject({ status: 'SUCCESS', pages_confirmed: 1 })
    })

    it('becomes uncertain when the provider does not know it any more', async () => {
      const made = makeLine({ find: false })
      const { submit, work, jobOf, pass } = await faxDesk(await open(), made)
      const { id } = await submit()
      await work()
      for (let minutes = 0; minutes < 30; minutes++, pass(minute)) await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'uncertain', error_kind: 'uncertain' })
    })
  })
})

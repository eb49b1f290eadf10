import { readFile } from 'node:fs/promises'
import { createDocuments } from '@faxdeck/documents'
import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, refusing } from '../../testing/made-line.ts'
import { readPage } from '../../fax/read/document.ts'
import { headerFor, headerOf, timeInWords } from './header-values.ts'

const words = { fax_header_line: true, fax_header: 'Example Clinic', fax_header_number: '+15555550100' }

it('a date on paper is that of the installation’s time zone, with its summer time', () => {
  const at = (iso: string, zone: string | null) => timeInWords(new Date(iso), zone)
  expect(at('2026-11-22T03:05:00Z', 'America/New_York')).toBe('21 Nov 2026, 22:05 GMT-5')
  expect(at('2026-07-01T12:00:00Z', 'Europe/Berlin')).toBe('1 Jul 2026, 14:00 CEST')
  expect(at('2026-11-22T03:05:00Z', null)).toBe(
    at('2026-11-22T03:05:00Z', Intl.DateTimeFormat().resolvedOptions().timeZone),
  )
})

onSqliteFirst((open) => {
  describe('the header line', () => {
    async function desk(change: Partial<typeof words> = {}, requiresPages = true) {
      const made = makeLine({ requiresPages })
      const sending = await faxDesk(await open(), made)
      const settings = { ...sending.context.settings.current(), ...words, ...change }
      sending.context.settings.current = () => settings
      return { made, ...sending }
    }

    it('is on the pages that the line gets, and on the preview of the job as it was sent', async () => {
      const { made, submit, work, jobOf, context } = await desk()
      const documents = createDocuments({ threads: 1 })
      const sent: Buffer[] = []
      made.answers.push(async (fax) => {
        sent.push(await readFile(fax.tiffPath ?? ''))
        return undefined
      })
      const { id } = await submit()
      const plain = await readPage(context, await jobOf(id), 1, undefined, undefined)
      await work()
      const job = await jobOf(id)
      expect(headerOf(job)).toMatchObject({ sender: 'Example Clinic', station: '+15555550100' })
      expect(headerOf(job)?.when).toContain('1 Mar 2026')
      context.settings.current = () => ({ ...words, fax_paper: 'letter', fax_resolution: 'fine' }) as never
      const shown = await readPage(context, job, 1, undefined, undefined)
      expect(shown.etag).not.toBe(plain.etag)
      const asSent = await documents.page(sent[0] ?? Buffer.alloc(0), 1, { paper: 'letter', resolution: 'fine' })
      expect(Buffer.compare(Buffer.from(asSent?.png ?? []), shown.content as Buffer)).toBe(0)
      expect(Buffer.compare(plain.content as Buffer, shown.content as Buffer)).not.toBe(0)
      await documents.close()
    })

    it('has the number of the group that the fax is sent for, and so has its call', async () => {
      const { made, submit, work, jobOf, context } = await desk()
      const { db } = context.database
      const group = { id: '0123456789ab', name: 'Ward', name_key: 'ward', created_at: '2026-01-01', created_by: 'x' }
      const calling_number = '+15555550177'
      await db
        .insertInto('groups')
        .values({ ...group, calling_number })
        .execute()
      const { id } = await submit({ group_id: group.id })
      await work()
      expect(headerOf(await jobOf(id))).toMatchObject({ sender: 'Example Clinic', station: calling_number })
      expect(made.handed.map(({ from }) => from)).toEqual([calling_number])
      const attempts = await db.selectFrom('fax_attempts').select('from_number').execute()
      expect(attempts).toEqual([{ from_number: calling_number }])
    })

    it('says the time of each attempt', async () => {
      const { made, submit, work, jobOf, pass } = await desk()
      made.answers.push(refusing('busy', 'Busy.'))
      const { id } = await submit()
      await work()
      const first = headerOf(await jobOf(id))?.when
      pass(10 * 60_000)
      await work()
      const second = headerOf(await jobOf(id))?.when
      expect([first, second]).toEqual([expect.stringContaining(':00'), expect.stringContaining(':10')])
    })

    it.each([
      ['is not printed when it is off', { fax_header_line: false }, true],
      ['is not printed for a provider that takes the document', {}, false],
    ])('%s', async (_name, change, requiresPages) => {
      const { submit, work, jobOf } = await desk(change, requiresPages)
      const { id } = await submit()
      await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', header_line: null })
    })

    it('names what the line itself is called before the general settings', async () => {
      const { made, context } = await desk()
      made.provider.pageSender = () => ({ sender: null, station: '+15555550177' })
      expect(headerFor(context, made.provider)).toMatchObject({ sender: 'Example Clinic', station: '+15555550177' })
    })

    it('is left to a provider that prints its own, which is told the sender', async () => {
      const seen = async (change: Partial<typeof words>, requiresPages = false) => {
        const { made, submit, work } = await desk(change, requiresPages)
        await submit()
        await work()
        return made.handed[0]?.headerText
      }
      expect(await seen({})).toBe('Example Clinic')
      expect(await seen({ fax_header_line: false })).toBeUndefined()
      expect(await seen({}, true)).toBeUndefined()
    })
  })
})

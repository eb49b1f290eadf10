import { describe, expect, it } from 'vitest'
import { transact } from '../db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { Events } from './events.ts'
import type { AuditEntry } from './facts.ts'
import { failureOf, moveOf } from './testing/sample-facts.ts'

onEachDatabase((open, another) => {
  describe('the audit trail', () => {
    it('records events newest first, with numbers hidden', async () => {
      const events = new Events(await open(), () => new Date())
      await events.jobCreated({ job_id: 'j1', backend: 'testline', key_id: 'k', pages: 1, to: '+15555550123' })
      await events.jobFailed(failureOf('j1', 'No answer from 15555550123'))
      const [failed, created] = await events.list({ limit: 10 })
      expect(created).toMatchObject({ event: 'job_created', job_id: 'j1', to: '********0123' })
      expect(failed).toMatchObject({ event: 'job_failed', error: 'No answer from ***' })
    })

    it('stands or falls with the transaction it is part of', async () => {
      const database = await open()
      const events = new Events(database, () => new Date())
      const received: AuditEntry[] = []
      events.onRecorded((entry) => received.push(entry))
      await expect(
        transact(database, async (tx) => {
          await events.jobUpdated(moveOf('j1'), tx)
          throw new Error('rolled back')
        }),
      ).rejects.toThrow('rolled back')
      expect(await events.list({ limit: 10 })).toEqual([])
      expect(received).toEqual([])
      await transact(database, (tx) => events.jobUpdated(moveOf('j2'), tx))
      expect(received).toMatchObject([{ event: 'job_updated', job_id: 'j2' }])
    })

    it('finds by event, by words in any case and by time', async () => {
      let time = new Date('2026-01-01T10:00:00Z')
      const events = new Events(await open(), () => time)
      await events.loginFailed({ path: '/admin/config', address: '127.0.0.1' })
      time = new Date('2026-01-01T11:00:00Z')
      await events.jobFailed(failureOf('j1', 'Busy 100%'))
      const found = async (filter: object) => (await events.list({ limit: 10, ...filter })).map(({ event }) => event)
      expect(await found({ event: 'login_failed' })).toEqual(['login_failed'])
      expect(await found({ q: 'bUSY 100%' })).toEqual(['job_failed'])
      expect(await found({ q: '%' })).toEqual(['job_failed'])
      expect(await found({ q: ' busy  JOB_failed ' })).toEqual(['job_failed'])
      expect(await found({ q: 'busy nowhere' })).toEqual([])
      expect(await found({ since: '2026-01-01T10:30:00Z' })).toEqual(['job_failed'])
      expect(await found({ since: '2026-01-01T12:30:00+01:00' })).toEqual([])
    })

    it('stays one unbroken chain when two processes write at once', async () => {
      const database = await open()
      const first = new Events(database, () => new Date())
      const second = new Events(await another(database), () => new Date())
      await Promise.all(
        Array.from({ length: 40 }, (_, n) => (n % 2 ? first : second).jobUpdated([moveOf(`a${n}`), moveOf(`b${n}`)])),
      )
      expect(await first.verify()).toEqual({ intact: true, checked: 80, broken_at: null })
    })

    it.each([
      ['a changed event', 'update audit_events set fields = \'{"job_id":"x"}\' where seq = 2', 2],
      ['a removed event', 'delete from audit_events where seq = 2', 2],
      ['a removed end', 'delete from audit_events where seq = 3', 3],
    ])('shows %s', async (_name, statement, place) => {
      const database = await open()
      const events = new Events(database, () => new Date())
      await events.jobUpdated([moveOf('a'), moveOf('b'), moveOf('c')])
      const { sql } = await import('kysely')
      await sql.raw(statement).execute(database.db)
      expect(await events.verify()).toMatchObject({ intact: false, broken_at: place })
    })
  })
})

import type { IncomingFax, Line, Provider, StatusUpdate } from '@faxdeck/provider-kit'
import type { Logger } from 'pino'
import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import type { ClockReading } from '../../base/providers/clocks.ts'
import { Breakers } from '../../base/providers/breakers.ts'
import { makeLine, refusing } from '../../testing/made-line.ts'
import { fixedSettings, testContext } from '../../testing/test-context.ts'
import type { ProviderAccess } from '../../base/providers/access.ts'
import { reconcileProviders } from './reconcile-provider.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')
const minute = 60_000
const never = new AbortController().signal
const fax: IncomingFax = {
  providerId: 'f-1',
  from: null,
  to: null,
  pages: 1,
  state: 'received',
  document: { fetch: 'f-1' },
}
const update: StatusUpdate = { providerId: 's-1', state: 'delivered' }

onSqliteFirst((open) => {
  interface Desk {
    minutes?: number
    inbound?: boolean
    missing?: string
    others?: readonly Provider[]
  }
  async function desk({ minutes = 15, inbound = true, missing, others = [] }: Desk = {}) {
    const { provider, line } = makeLine()
    const asked: [what: string, since: string][] = []
    const reported: unknown[] = []
    const warnings: object[] = []
    const clock = { ms: start }
    const theirs: { clock: ClockReading | undefined } = { clock: undefined }
    const lists: Line = {
      ...line,
      listReceived: async (since) => (asked.push(['received', since.toISOString()]), [fax]),
      listSent: async (since) => (asked.push(['sent', since.toISOString()]), [update]),
    }
    const context = testContext({
      database: await open(),
      providers: {
        providers: [provider, ...others],
        inbound: () => provider,
        outbound: () => provider,
        line: () => lists,
        account: () => null,
        clock: () => theirs.clock,
        problemOf: ({ id }: Provider) => (id === 'unused' ? 'It is not set up.' : missing),
      } as unknown as ProviderAccess,
      breakers: new Breakers({ settings: () => ({}) as never, now: () => new Date(clock.ms), elapsed: () => clock.ms }),
      settings: fixedSettings({ inbound_enabled: inbound, reconcile_minutes: minutes }),
      now: () => new Date(clock.ms),
      log: { warn: (facts: object) => void warnings.push(facts) } as unknown as Logger,
    })
    const reportEnd = async (id: string, each: unknown): Promise<unknown> => reported.push([id, each])
    const record = { report: reportEnd, receive: reportEnd }
    const reconcile = (isStart?: boolean) => reconcileProviders(context, record, never, isStart)
    return { reconcile, record, lists, asked, reported, warnings, theirs, pass: (ms: number) => (clock.ms += ms) }
  }

  describe('comparing with what a provider lists', () => {
    it('hands on what it lists, at first of the last two hours', async () => {
      const { reconcile, asked, reported } = await desk()
      await reconcile()
      expect(asked).toEqual([
        ['sent', '2026-03-01T10:00:00.000Z'],
        ['received', '2026-03-01T10:00:00.000Z'],
      ])
      expect(reported).toEqual([
        ['made', update],
        ['made', fax],
      ])
    })

    it('asks every account in the cloud that is set up for received faxes, and opens no telephone line for it', async () => {
      const other = (id: string, kind: Provider['kind'], supports_inbound = true): Provider => {
        const { provider } = makeLine({ id })
        return { ...provider, kind, traits: { ...provider.traits, supports_inbound } }
      }
      const others = [
        other('second', 'cloud'),
        other('unused', 'cloud'),
        other('switch', 'self_hosted'),
        other('trunk', 'managed'),
        other('sender', 'cloud', false),
      ]
      const { reconcile, reported } = await desk({ others })
      await reconcile()
      expect(reported).toEqual([
        ['made', update],
        ['made', fax],
        ['second', fax],
      ])
    })

    it('rests between two sweeps, and goes on from the last one however long it was away', async () => {
      const { reconcile, asked, pass } = await desk()
      await reconcile()
      pass(14 * minute)
      await reconcile()
      expect(asked).toHaveLength(2)
      pass(5 * 24 * 60 * minute)
      await reconcile()
      expect(asked.at(-1)).toEqual(['received', '2026-03-01T10:00:00.000Z'])
      pass(15 * minute)
      await reconcile()
      expect(asked.at(-1)).toEqual(['received', '2026-03-06T10:14:00.000Z'])
    })

    it('asks for received faxes at once when the gateway starts again, whose notices nobody took meanwhile', async () => {
      const { reconcile, asked, pass } = await desk()
      await reconcile()
      pass(minute)
      await reconcile(true)
      expect(asked.map(([what]) => what)).toEqual(['sent', 'received', 'received'])
    })

    it('goes by the clock of the provider where it is known, whatever ours shows', async () => {
      const { reconcile, asked, theirs, pass } = await desk()
      const hour = 60 * minute
      theirs.clock = { now: new Date(start - 5 * hour), aheadMs: -5 * hour, ageMs: 0, steadyMs: 0, evenSinceMs: 0 }
      await reconcile()
      expect(asked.at(-1)).toEqual(['received', '2026-03-01T05:00:00.000Z'])
      pass(-48 * hour)
      theirs.clock = { ...theirs.clock, now: new Date(start - 4 * hour) }
      await reconcile()
      expect(asked.at(-1)).toEqual(['received', '2026-03-01T05:00:00.000Z'])
      expect(asked).toHaveLength(4)
    })

    it('asks at once when its clock was set back behind the last sweep', async () => {
      const { reconcile, asked, pass } = await desk()
      await reconcile()
      pass(-60 * minute)
      await reconcile()
      expect(asked.at(-1)).toEqual(['received', '2026-03-01T09:00:00.000Z'])
    })

    it('asks again next time where a list or a record failed, and the other list nevertheless', async () => {
      const { reconcile, record, lists, asked, warnings } = await desk()
      lists.listSent = () => Promise.reject(new Error('down'))
      await reconcile()
      expect(asked.map(([what]) => what)).toEqual(['received'])
      expect(warnings).toMatchObject([{ direction: 'sent' }])
      let refused = 0
      lists.listSent = async () => [update]
      record.report = () => Promise.reject(new Error(`locked ${(refused += 1)}`))
      await reconcile()
      await reconcile()
      expect(refused).toBe(2)
    })

    it('takes what stands behind a fax that cannot be recorded, and asks for that one again', async () => {
      const { reconcile, record, lists, warnings } = await desk()
      const taken: string[] = []
      lists.listReceived = async () => ['f-1', 'f-2', 'f-3'].map((providerId) => ({ ...fax, providerId }))
      record.receive = async (_id, each) => {
        const { providerId } = each as IncomingFax
        if (providerId === 'f-1') throw new Error('This one cannot be stored.')
        return taken.push(providerId)
      }
      await reconcile()
      await reconcile()
      expect(taken).toEqual(['f-2', 'f-3', 'f-2', 'f-3'])
      expect(warnings).toHaveLength(2)
    })

    it('asks for nothing before a time that the provider named, for neither list, and then for both', async () => {
      const { reconcile, lists, asked, pass } = await desk()
      const { listSent } = lists
      lists.listSent = refusing('rate_limited', 'Asked too often (429).', 600)
      await reconcile()
      lists.listSent = listSent
      pass(9 * minute)
      await reconcile()
      expect(asked).toEqual([])
      pass(minute)
      await reconcile()
      expect(asked.map(([what]) => what)).toEqual(['sent', 'received'])
    })

    it.each([{ minutes: 0 }, { missing: 'It is not set up.' }])('asks nobody with %j', async (options) => {
      const { reconcile, asked } = await desk(options)
      await reconcile()
      expect(asked).toEqual([])
    })

    it('asks for no received faxes while receiving is off, and for nothing a line cannot list', async () => {
      const { reconcile, lists, asked } = await desk({ inbound: false })
      delete lists.listSent
      await reconcile()
      expect(asked).toEqual([])
    })
  })
})

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Line } from '@faxdeck/provider-kit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readCalls } from './calls.ts'
import { openTestLine } from './send.ts'
import { failForGood, failSync } from './testing/failing-disk.ts'
import { FakeHost } from './testing/fake-host.ts'
import { freshDirectory, makeFax } from './testing/fresh-directory.ts'

const never = new AbortController().signal
const handedOver = {
  to: '+15555550106',
  at: new Date(),
  clock: () => undefined,
  overForMs: () => undefined,
  witness: () => Promise.resolve(undefined),
  isKnown: () => Promise.resolve(false),
  hasRival: () => Promise.resolve(false),
}
const opened: Line[] = []

async function open(seconds = 0, directory?: string) {
  const host = new FakeHost(directory ?? (await freshDirectory()))
  const line = openTestLine(host, { testline_seconds: seconds }) as Required<Line>
  opened.push(line)
  return { host, line }
}

afterEach(async () => {
  for (const line of opened.splice(0)) await line.close?.()
  vi.restoreAllMocks()
})

describe('the test line', () => {
  it('delivers: reports it with all pages and hands over what the far machine printed', async () => {
    const { host, line } = await open()
    const fax = await makeFax('+15555550123')
    const receipt = await line.send(fax, never)
    expect(receipt.update?.state).toBe('in_progress')
    await vi.waitFor(() => expect(host.received).toHaveLength(1))
    expect(host.reports).toMatchObject([
      { attemptId: fax.attemptId, providerId: receipt.providerId, state: 'delivered', pagesConfirmed: 3 },
    ])
    expect(host.received[0]).toMatchObject({
      pages: `pages of ${fax.attemptId}`,
      fax: { providerId: receipt.providerId, from: '+15555550000', to: '+15555550123', pages: 3, state: 'received' },
    })
  })

  it.each([
    ['+15555550100', 'busy', 0],
    ['+15555550101', 'no_answer', 0],
    ['+15555550103', 'partial', 1],
  ])('fails a fax to %s as %s', async (to, kind, pagesConfirmed) => {
    const { host, line } = await open()
    await line.send(await makeFax(to), never)
    await vi.waitFor(() => expect(host.reports).toMatchObject([{ state: 'failed', kind, pagesConfirmed }]))
    expect(host.reports[0]?.sentence).toMatch(/\.$/)
    expect(host.received).toEqual([])
  })

  it('refuses the bad number at once, and has not taken it', async () => {
    const { line, host } = await open()
    const fax = await makeFax('+15555550102')
    await expect(line.send(fax, never)).rejects.toMatchObject({ kind: 'bad_number' })
    expect(await line.find(fax.attemptId, never, handedOver)).toEqual({ taken: false })
    expect(await readCalls(host.directory)).toEqual([])
  })

  it('takes ten seconds for 0104, also across a restart', async () => {
    const { host, line } = await open()
    const fax = await makeFax('+15555550104')
    await line.send(fax, never)
    await line.close()
    const second = new FakeHost(host.directory)
    second.now = () => new Date(Date.now() + 9_900)
    opened.push(openTestLine(second, { testline_seconds: 0 }))
    await vi.waitFor(() => expect(second.reports).toMatchObject([{ state: 'delivered' }]))
    expect(host.reports).toEqual([])
  })

  it('is busy twice for 0105 and then delivers, with a restart before every try', async () => {
    const directory = await freshDirectory()
    const results: unknown[] = []
    for (let tries = 1; tries <= 3; tries += 1) {
      const { host, line } = await open(0, directory)
      await line.send(await makeFax('+15555550105', { jobId: 'the-same-fax' }), never)
      await vi.waitFor(() => expect(host.reports).toHaveLength(1))
      results.push(host.reports[0]?.word)
      await line.close()
    }
    expect(results).toEqual(['busy', 'busy', 'delivered'])
  })

  it.each([
    [0.1, true],
    [0.9, false],
  ])('loses the answer of 0106 and never reports, whether it printed or not', async (chance, printed) => {
    vi.spyOn(Math, 'random').mockReturnValue(chance)
    const { host, line } = await open()
    const fax = await makeFax('+15555550106')
    await expect(line.send(fax, never)).rejects.toMatchObject({ kind: 'uncertain' })
    await expect(line.find(fax.attemptId, never, handedOver)).rejects.toMatchObject({ kind: 'uncertain' })
    await vi.waitFor(async () => {
      expect(await readCalls(host.directory)).toMatchObject([{ ending: 'unknown', prints: printed ? 1 : 0 }])
    })
    await vi.waitFor(() => expect(host.received).toHaveLength(printed ? 1 : 0))
    expect(await line.status(`call-${fax.attemptId}`, never)).toBeUndefined()
    expect(host.reports).toEqual([])
  })

  it('takes the same attempt once, asked twice at the same time and once more after the end', async () => {
    const { host, line } = await open()
    const fax = await makeFax('+15555550123')
    const [first, second] = await Promise.all([line.send(fax, never), line.send(fax, never)])
    expect(second).toEqual(first)
    await vi.waitFor(() => expect(host.received).toHaveLength(1))
    expect(await line.send(fax, never)).toMatchObject({ providerId: first.providerId, update: { state: 'delivered' } })
    expect(await readCalls(host.directory)).toMatchObject([{ ending: 'delivered' }])
    expect(host.received).toHaveLength(1)
  })

  it('finds exactly what it took, in memory and after a restart', async () => {
    const { host, line } = await open(60)
    const fax = await makeFax('+15555550199')
    const sending = line.send(fax, never)
    const found = { taken: true, providerId: `call-${fax.attemptId}` }
    expect(await line.find(fax.attemptId, never, handedOver)).toEqual(found)
    await sending
    await line.close()
    const again = await open(60, host.directory)
    expect(await again.line.find(fax.attemptId, never, handedOver)).toEqual(found)
    expect(await again.line.find('another', never, handedOver)).toEqual({ taken: false })
  })

  it('reports the state of a call from beginning to end, and nothing of calls it does not know', async () => {
    const { host, line } = await open(1)
    const { providerId } = await line.send(await makeFax('+15555550123'), never)
    expect(await line.status(providerId, never)).toMatchObject({ state: 'in_progress' })
    await vi.waitFor(() => expect(host.reports).toHaveLength(1), { timeout: 3000 })
    expect(await line.status(providerId, never)).toMatchObject({ state: 'delivered', pagesConfirmed: 3 })
    expect(await line.status('somebody else', never)).toBeUndefined()
  })

  it('cancels a call that is under way, and no fax arrives', async () => {
    const { host, line } = await open(60)
    const { providerId } = await line.send(await makeFax('+15555550123'), never)
    expect(await line.cancel(providerId, never)).toBe(true)
    expect(await line.cancel(providerId, never)).toBe(true)
    await vi.waitFor(() => expect(host.reports).toMatchObject([{ state: 'failed', kind: 'cancelled' }]))
    expect(await readCalls(host.directory)).toMatchObject([{ ending: 'cancelled' }])
    await vi.waitFor(async () => expect(await readdir(join(host.directory, 'received'))).toEqual([]))
    expect(host.received).toEqual([])
  })

  it('does not promise to cancel what has ended or is unknown', async () => {
    const { host, line } = await open()
    const { providerId } = await line.send(await makeFax('+15555550123'), never)
    await vi.waitFor(() => expect(host.reports).toHaveLength(1))
    expect(await line.cancel(providerId, never)).toBe(false)
    expect(await line.cancel('call-unknown', never)).toBe(false)
  })

  it('keeps the pages when the sender removes them, and lets go of them when they were received', async () => {
    const { host, line } = await open(1)
    const fax = await makeFax('+15555550123')
    await line.send(fax, never)
    await rm(fax.tiffPath ?? '')
    await vi.waitFor(() => expect(host.received[0]?.pages).toBe(`pages of ${fax.attemptId}`), { timeout: 3000 })
    await vi.waitFor(async () => expect(await readdir(join(host.directory, 'received'))).toEqual([]))
  })

  it('refuses a fax without pages', async () => {
    const { line } = await open()
    await expect(line.send(await makeFax('+15555550123', { tiffPath: null }), never)).rejects.toMatchObject({
      kind: 'bad_document',
    })
    await expect(line.send(await makeFax('+15555550123', { tiffPath: '/no/such.tif' }), never)).rejects.toMatchObject({
      kind: 'bad_document',
    })
  })

  it('has not taken a fax that the disk did not take, and keeps nothing of it', async () => {
    const { host, line } = await open()
    const fax = await makeFax('+15555550123')
    await line.find('wait until it is open', never, handedOver)
    await failSync()
    await expect(line.send(fax, never)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(await line.find(fax.attemptId, never, handedOver)).toEqual({ taken: false })
    expect(await readdir(join(host.directory, 'received'))).toEqual([])
    await line.close()
    expect(await readCalls(host.directory)).toEqual([])
  })

  it('does not know, until it is opened anew, what could not be read from the disk', async () => {
    const { host, line } = await open()
    const fax = await makeFax('+15555550123')
    await line.find('wait until it is open', never, handedOver)
    await failForGood(host.directory)
    await expect(line.send(fax, never)).rejects.toMatchObject({ kind: 'uncertain' })
    await expect(line.send(fax, never)).rejects.toMatchObject({ kind: 'uncertain' })
    await expect(line.find(fax.attemptId, never, handedOver)).rejects.toMatchObject({ kind: 'uncertain' })
    const again = await open(0, host.directory)
    expect(await again.line.find(fax.attemptId, never, handedOver)).toEqual({ taken: false })
    expect(again.host.received).toEqual([])
  })

  it('refuses an attempt id that would be a path, and a fax that was given up', async () => {
    const { line } = await open()
    const fax = await makeFax('+15555550123')
    await expect(line.send({ ...fax, attemptId: '../../evil' }, never)).rejects.toMatchObject({ kind: 'rejected' })
    await expect(line.send(fax, AbortSignal.abort())).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('reports again when the gateway could not record a report', async () => {
    const { host, line } = await open()
    let refusals = 1
    host.refuse = () => {
      if (refusals-- > 0) throw new Error('database is locked')
    }
    await line.send(await makeFax('+15555550123'), never)
    await vi.waitFor(() => expect(host.received).toHaveLength(1), { timeout: 5000 })
    expect(host.warnings).toHaveLength(1)
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Line } from '@faxdeck/provider-kit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readCalls } from './calls.ts'
import { openTestLine } from './send.ts'
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

function open(host: FakeHost, seconds = 0): Required<Line> {
  const line = openTestLine(host, { testline_seconds: seconds }) as Required<Line>
  opened.push(line)
  return line
}

afterEach(async () => {
  for (const line of opened.splice(0)) await line.close?.()
})

/** What a crash at this moment would leave behind. */
async function crashCopy(directory: string): Promise<FakeHost> {
  const copy = await freshDirectory()
  await cp(directory, copy, { recursive: true })
  return new FakeHost(copy)
}

async function countSettled(directory: string): Promise<number> {
  return (await readCalls(directory)).filter((call) => call.settled_at !== null).length
}

describe('the test line after a crash', () => {
  it('delivers a call that was under way', async () => {
    const host = new FakeHost(await freshDirectory())
    const fax = await makeFax('+15555550123')
    await open(host, 60).send(fax, never)
    const after = await crashCopy(host.directory)
    after.now = () => new Date(Date.now() + 60_000)
    open(after)
    await vi.waitFor(() => expect(after.received[0]?.pages).toBe(`pages of ${fax.attemptId}`))
    expect(after.received[0]?.fax.to).toBe('+15555550123')
    expect(after.reports).toMatchObject([{ attemptId: fax.attemptId, state: 'delivered' }])
  })

  it('keeps no number but beside the pages, and takes those out that an earlier version wrote', async () => {
    const host = new FakeHost(await freshDirectory())
    const fax = await makeFax('+15555550123')
    await open(host, 60).send(fax, never)
    const after = await crashCopy(host.directory)
    const filesWith = async (number: string) => {
      const names = (await readdir(after.directory)).filter((name) => name !== 'received')
      const contents = await Promise.all(names.map((name) => readFile(join(after.directory, name))))
      return names.filter((_, at) => contents[at]?.includes(number))
    }
    expect(await filesWith('5555550123')).toEqual([])
    const old = { event: 'taken', pages: 1, at: 1, seconds: 600, ending: 'delivered', prints: true }
    const earlier = ['old', 'done'].map((name) => ({ ...old, attempt: name, job: `job-${name}`, to: '+15555550177' }))
    const lines = [...earlier, { event: 'settled', attempt: 'done', at: 2 }].map((line) => `${JSON.stringify(line)}\n`)
    for (const name of ['calls.jsonl', 'calls-1.jsonl']) await writeFile(join(after.directory, name), lines.join(''))
    const line = open(after)
    expect(await line.find('done', never, handedOver)).toMatchObject({ taken: true })
    expect(await filesWith('5555550177')).toEqual([])
    // The call that is under way still knows whom it is for.
    await vi.waitFor(() => expect(after.received.map(({ fax: { to } }) => to)).toContain('+15555550177'))
  })

  it('reports again when it died between the report and the receipt', async () => {
    const host = new FakeHost(await freshDirectory())
    host.refuse = (what) => {
      if (what === 'receive') throw new Error('the gateway dies here')
    }
    await open(host).send(await makeFax('+15555550123'), never)
    await vi.waitFor(() => expect(host.reports).toHaveLength(1))
    const after = await crashCopy(host.directory)
    open(after)
    await vi.waitFor(() => expect(after.received).toHaveLength(1))
    expect(await readCalls(after.directory)).toMatchObject([{ ending: 'delivered' }])
  })

  it('says of a fax whose pages the disk has lost that it failed to arrive', async () => {
    const host = new FakeHost(await freshDirectory())
    await open(host, 60).send(await makeFax('+15555550123'), never)
    const after = await crashCopy(host.directory)
    await rm(join(after.directory, 'received'), { recursive: true })
    after.now = () => new Date(Date.now() + 60_000)
    open(after)
    await vi.waitFor(() => expect(after.received[0]?.fax).toMatchObject({ state: 'failed', document: null }))
  })

  it('ends every call once and reports every end, wherever the journal of an earlier version breaks off', async () => {
    const plan = { job: 'job', pages: 3, at: 1, seconds: 0 }
    const endings = { a: 'delivered', b: 'busy', c: 'partial', d: 'delivered' }
    const attempts = Object.keys(endings)
    const events = Object.entries(endings).flatMap(([attempt, ending]) => [
      { event: 'taken', attempt, ...plan, ending, prints: ending === 'delivered' },
      { event: 'ended', attempt, at: 2, ending, printed: ending === 'delivered' },
      { event: 'settled', attempt, at: 3 },
    ])
    const journal = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    for (let length = 0; length <= journal.length; length += 89) {
      await expectRecovery(journal.subarray(0, length), attempts)
    }
  }, 30_000)
})

async function expectRecovery(journal: Buffer, attempts: string[]): Promise<void> {
  const host = new FakeHost(await freshDirectory())
  await writeFile(join(host.directory, 'calls.jsonl'), journal)
  await mkdir(join(host.directory, 'received'))
  for (const attempt of attempts) await writeFile(join(host.directory, 'received', `${attempt}.tif`), attempt)
  const known = attempts.filter((attempt) => /}\n/.test(journal.toString().split(`"attempt":"${attempt}"`)[1] ?? ''))
  const line = open(host)
  for (const attempt of attempts) {
    expect((await line.find(attempt, never, handedOver)).taken).toBe(known.includes(attempt))
  }
  await vi.waitFor(async () => expect(await countSettled(host.directory)).toBe(known.length), { interval: 10 })
  expect((await readCalls(host.directory)).filter(({ ending }) => ending === null)).toEqual([])
  expect(new Set(host.received.map(({ fax }) => fax.providerId)).size).toBe(host.received.length)
  await line.close()
  expect(await readdir(join(host.directory, 'received'))).toEqual([])
}

describe('the test line of a killed process', () => {
  it('has delivered, after all, exactly what was acknowledged', async () => {
    const directory = await freshDirectory()
    const child = spawn(
      process.execPath,
      [new URL('./testing/send-until-killed.ts', import.meta.url).pathname, directory],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const acknowledged: string[] = []
    for await (const attempt of createInterface(child.stdout)) {
      acknowledged.push(attempt)
      if (acknowledged.length === 200) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    const host = new FakeHost(directory)
    const line = open(host)
    await vi.waitFor(async () => {
      const calls = await readCalls(directory)
      expect(calls.every(({ ending }) => ending === 'delivered')).toBe(true)
      expect(await countSettled(directory)).toBe(calls.length)
    })
    const taken = new Set((await readCalls(directory)).map(({ attempt }) => attempt))
    expect(host.received.length).toBe(new Set(host.received.map(({ fax }) => fax.providerId)).size)
    expect(acknowledged.filter((attempt) => !taken.has(attempt))).toEqual([])
    expect(await line.find(acknowledged[0] ?? '', never, handedOver)).toMatchObject({ taken: true })
  })
})

describe('two lines over one directory', () => {
  it('lets the newer take over within one process, calls and all', async () => {
    const directory = await freshDirectory()
    const older = new FakeHost(directory)
    const first = open(older, 1)
    await first.send(await makeFax('+15555550123'), never)
    const newer = new FakeHost(directory)
    const second = open(newer, 1)
    await vi.waitFor(() => expect(newer.received).toHaveLength(1), { timeout: 3000 })
    expect(older.reports).toEqual([])
    await expect(first.send(await makeFax('+15555550123'), never)).rejects.toMatchObject({ kind: 'unreachable' })
    await first.close()
    await second.send(await makeFax('+15555550123'), never)
  })

  it('says why it cannot be used while the journal of an earlier version is damaged', async () => {
    const host = new FakeHost(await freshDirectory())
    await writeFile(join(host.directory, 'calls.jsonl'), '?\n{"event":"settled","attempt":"a","at":1}\n')
    const line = open(host)
    await expect(line.send(await makeFax('+15555550123'), never)).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(line.find('a', never, handedOver)).rejects.toThrow('damaged')
    expect(host.warnings).toHaveLength(1)
  })
})

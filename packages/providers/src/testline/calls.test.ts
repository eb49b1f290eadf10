import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Call, Calls, type NewCall, UnsureWrite } from './calls.ts'
import { failForGood, failSync } from './testing/failing-disk.ts'
import { freshDirectory } from './testing/fresh-directory.ts'

const newCall = (attempt: string): NewCall => ({
  attempt,
  job: `job-${attempt}`,
  pages: 1,
  begun_at: 1,
  seconds: 0.5,
  plan: 'delivered',
  prints: 1,
})
const settled = (attempt: string): Call => ({ ...newCall(attempt), ending: 'delivered', ended_at: 2, settled_at: 3 })

async function opened(): Promise<{ calls: Calls; directory: string }> {
  const directory = await freshDirectory()
  return { calls: await Calls.open(directory), directory }
}

const attemptsOf = (calls: readonly Call[]) => calls.map(({ attempt }) => attempt)

afterEach(() => vi.restoreAllMocks())

describe('the table of calls', () => {
  it('has every call, also those that were added at once, after it is opened anew', async () => {
    const { calls, directory } = await opened()
    const attempts = Array.from({ length: 50 }, (_, index) => `a${index}`)
    await Promise.all(attempts.map((attempt) => calls.add(newCall(attempt))))
    await calls.close()
    const again = await Calls.open(directory)
    expect(attemptsOf(again.all())).toEqual(attempts)
    expect(again.get('a7')).toEqual({ ...newCall('a7'), ending: null, ended_at: null, settled_at: null })
    expect(again.countOf('job-a7')).toBe(1)
    await again.close()
  })

  it('keeps the first end of a call, and lists those that are not settled', async () => {
    const { calls } = await opened()
    for (const attempt of ['a', 'b']) await calls.add(newCall(attempt))
    await calls.end('a', 'cancelled', 2)
    await calls.end('a', 'delivered', 3)
    expect(calls.get('a')).toMatchObject({ ending: 'cancelled', ended_at: 2 })
    await calls.settle('b', 4)
    expect(attemptsOf(calls.unsettled())).toEqual(['a'])
    await calls.close()
  })

  it('leaves nothing of a call that could not be synced, and goes on', async () => {
    const { calls } = await opened()
    await calls.add(newCall('before'))
    await failSync()
    await expect(calls.add(newCall('refused'))).rejects.toThrow('no space')
    await calls.add(newCall('after'))
    expect(attemptsOf(calls.all())).toEqual(['before', 'after'])
    await calls.close()
  })

  it('says so when a call can be neither kept nor taken back', async () => {
    const { calls, directory } = await opened()
    await failForGood(directory)
    await expect(calls.add(newCall('doubtful'))).rejects.toThrow(UnsureWrite)
    await calls.close()
  })

  it('brings in calls of earlier versions, and leaves those that it knows as they are', async () => {
    const { calls } = await opened()
    await calls.add(newCall('known'))
    await calls.bringIn([settled('known'), settled('earlier')])
    expect(attemptsOf(calls.unsettled())).toEqual(['known'])
    expect(calls.get('earlier')).toEqual(settled('earlier'))
    await calls.close()
  })

  it('is not opened where it is damaged', async () => {
    const { calls, directory } = await opened()
    await calls.close()
    await writeFile(join(directory, 'calls.db'), 'no table'.repeat(1000))
    await expect(Calls.open(directory)).rejects.toThrow('not a database')
  })
})

import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { CallMemory } from './call-memory.ts'
import { readCalls } from './read-calls.ts'
import type { Taken } from './record.ts'
import { freshDirectory } from './testing/fresh-directory.ts'

const taken = (attempt: string): Taken => ({
  event: 'taken',
  attempt,
  job: `job-${attempt}`,
  pages: 1,
  at: 1,
  seconds: 2,
  ending: 'delivered',
  prints: true,
})

async function makeCalls(memory: CallMemory, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const attempt = `a${index}`
    await memory.record(taken(attempt))
    await memory.record({ event: 'ended', attempt, at: 2, ending: 'delivered', printed: true })
    await memory.record({ event: 'settled', attempt, at: 3 })
  }
}

describe('CallMemory', () => {
  it('remembers the newest calls, recalls the others from the disk, and loses none over several journals', async () => {
    const directory = await freshDirectory()
    for (let start = 0; start < 3; start += 1) {
      const memory = await CallMemory.open(directory, 10)
      if (start === 0) await memory.record(taken('open'))
      await makeCalls(memory, start * 15, start * 15 + 15)
      expect(memory.calls.get('a0')).toBeUndefined()
      expect(await memory.recall('a0')).toMatchObject({ attempt: 'a0' })
      expect(await memory.recall('open')).toMatchObject({ attempt: 'open' })
      expect(await memory.recall('never')).toBeUndefined()
      await memory.close()
    }
    const memory = await CallMemory.open(directory, 10)
    expect(memory.calls.unsettled().map((call) => call.taken.attempt)).toEqual(['open'])
    await memory.close()
    expect((await readdir(directory)).sort()).toEqual([
      'calls-1.jsonl',
      'calls-2.jsonl',
      'calls-3.jsonl',
      'calls.jsonl',
    ])
    const calls = await readCalls(directory)
    expect(calls).toHaveLength(46)
    expect(calls.filter(({ timesTaken, timesPrinted }) => timesTaken !== 1 || timesPrinted > 1)).toEqual([])
  })

  it('does not turn to a new journal at every start', async () => {
    const directory = await freshDirectory()
    for (let start = 0; start < 5; start += 1) {
      const memory = await CallMemory.open(directory, 10)
      await makeCalls(memory, start * 4, start * 4 + 4)
      await memory.close()
    }
    expect((await readdir(directory)).sort()).toEqual(['calls-1.jsonl', 'calls.jsonl'])
  })
})

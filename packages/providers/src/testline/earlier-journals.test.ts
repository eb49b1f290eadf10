import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Call, Calls } from './calls.ts'
import { bringInJournals } from './earlier-journals.ts'
import { freshDirectory } from './testing/fresh-directory.ts'

const plan = { pages: 2, seconds: 2, ending: 'delivered', prints: true }
const taken = (attempt: string, more = {}) => ({
  event: 'taken',
  attempt,
  job: `job-${attempt}`,
  at: 1,
  ...plan,
  ...more,
})
const ended = (attempt: string) => ({ event: 'ended', attempt, at: 2, ending: 'delivered', printed: true })
const settled = (attempt: string) => ({ event: 'settled', attempt, at: 3 })
const linesOf = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const begun = { pages: 2, begun_at: 1, seconds: 2, plan: 'delivered', prints: 1 }

/** What the table and the numbers are once these journals were brought in, and what is left in the directory. */
async function broughtIn(journals: Record<string, string>) {
  const directory = await freshDirectory()
  for (const [name, text] of Object.entries(journals)) await writeFile(join(directory, name), text)
  const numbers = new Map<string, string>()
  const calls = await Calls.open(directory)
  try {
    await bringInJournals(directory, calls, async (attempt, number) => void numbers.set(attempt, number))
    const all: Call[] = calls.all()
    const left = (await readdir(directory)).filter((name) => name.endsWith('.jsonl'))
    return { calls: all, attempts: all.map(({ attempt }) => attempt).sort(), numbers, left }
  } finally {
    await calls.close()
  }
}

describe('journals of earlier versions', () => {
  it('become rows, each call as far as it had come, and are removed', async () => {
    const text = linesOf(taken('new'), taken('over'), ended('over'), taken('done'), ended('done'), settled('done'))
    const { calls, left } = await broughtIn({ 'calls.jsonl': text })
    expect(calls).toEqual([
      { attempt: 'new', job: 'job-new', ...begun, ending: null, ended_at: null, settled_at: null },
      { attempt: 'over', job: 'job-over', ...begun, ending: 'delivered', ended_at: 2, settled_at: null },
      { attempt: 'done', job: 'job-done', ...begun, ending: 'delivered', ended_at: 2, settled_at: 3 },
    ])
    expect(left).toEqual([])
  })

  it('are read newest first: a call stands completely in the newest that has it', async () => {
    const { calls } = await broughtIn({
      'calls-1.jsonl': linesOf(taken('a'), taken('old'), ended('old'), settled('old')),
      'calls-10.jsonl': linesOf(taken('a'), ended('a')),
      'calls.jsonl': linesOf(taken('a'), ended('a'), settled('a')),
    })
    expect(calls).toMatchObject([
      { attempt: 'a', settled_at: 3 },
      { attempt: 'old', settled_at: 3 },
    ])
  })

  it('give the numbers of calls that are under way, and no others', async () => {
    const to = { to: '+15555550177' }
    const text = linesOf(taken('old', to), taken('done', to), ended('done'), settled('done'), taken('without'))
    expect([...(await broughtIn({ 'calls.jsonl': text })).numbers]).toEqual([['old', '+15555550177']])
  })

  it('may have a torn end, as a crash or a power cut leaves it', async () => {
    for (const end of ['{"event":"settl', `${'\0'.repeat(4096)}\n\0\0`, '{"event":"settled"}\n', 'null\n']) {
      const { attempts } = await broughtIn({ 'calls.jsonl': linesOf(taken('ä€😀')) + end })
      expect(attempts).toEqual(['ä€😀'])
    }
  })

  it('are refused, and stay, when they are damaged before their end', async () => {
    const text = `${linesOf(taken('ä'))}?\n${linesOf(settled('ä'))}`
    const at = Buffer.byteLength(linesOf(taken('ä')))
    await expect(broughtIn({ 'calls.jsonl': text })).rejects.toThrow(`calls.jsonl is damaged at byte ${at}.`)
  })
})

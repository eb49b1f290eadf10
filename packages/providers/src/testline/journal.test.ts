import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Journal, readJournal, UnsureWrite } from './journal.ts'
import type { CallRecord } from './record.ts'
import { failOnce } from './testing/failing-disk.ts'
import { freshDirectory } from './testing/fresh-directory.ts'

const settled = (attempt: string): CallRecord => ({ event: 'settled', attempt, at: 1 })

async function readAll(path: string): Promise<{ records: CallRecord[]; whole: number }> {
  const records: CallRecord[] = []
  const whole = await readJournal(path, (record) => records.push(record))
  return { records, whole }
}

async function freshPath(): Promise<string> {
  return join(await freshDirectory(), 'calls.jsonl')
}

afterEach(() => vi.restoreAllMocks())

describe('Journal', () => {
  it('has every record on the disk when its append resolves, in order', async () => {
    const path = await freshPath()
    const journal = await Journal.open(path, 0)
    const attempts = Array.from({ length: 500 }, (_, index) => `a${index}`)
    await Promise.all(attempts.map((attempt) => journal.append(settled(attempt))))
    expect((await readAll(path)).records.map(({ attempt }) => attempt)).toEqual(attempts)
    await journal.close()
  })

  it('takes records that arrive the moment an earlier one is written', async () => {
    const path = await freshPath()
    const journal = await Journal.open(path, 0)
    await journal.append(settled('one')).then(() => journal.append(settled('two')))
    expect((await readAll(path)).records).toHaveLength(2)
    await journal.close()
  })

  it('refuses records after it was closed', async () => {
    const journal = await Journal.open(await freshPath(), 0)
    await journal.close()
    await expect(journal.append(settled('late'))).rejects.toThrow('closed')
  })

  it('leaves nothing of a record that could not be synced, and goes on', async () => {
    const path = await freshPath()
    const journal = await Journal.open(path, 0)
    await journal.append(settled('before'))
    await failOnce('datasync')
    await expect(journal.append(settled('refused'))).rejects.toThrow('no space')
    await journal.append(settled('after'))
    await journal.close()
    expect((await readAll(path)).records).toEqual([settled('before'), settled('after')])
  })

  it('says so when a failed record can be neither kept nor taken back, and takes no more', async () => {
    const journal = await Journal.open(await freshPath(), 0)
    await failOnce('datasync')
    await failOnce('truncate')
    await expect(journal.append(settled('doubtful'))).rejects.toThrow(UnsureWrite)
    await expect(journal.append(settled('after'))).rejects.not.toThrow(UnsureWrite)
    await journal.close()
  })
})

describe('readJournal', () => {
  it('finds a missing file empty', async () => {
    expect(await readAll(await freshPath())).toEqual({ records: [], whole: 0 })
  })

  it('passes over a torn last line, which the next opening cuts off', async () => {
    const path = await freshPath()
    const line = `${JSON.stringify(settled('one'))}\n`
    await writeFile(path, `${line}{"event":"settl`)
    const { records, whole } = await readAll(path)
    expect(records).toEqual([settled('one')])
    const journal = await Journal.open(path, whole)
    await journal.append(settled('two'))
    await journal.close()
    expect((await readAll(path)).records).toEqual([settled('one'), settled('two')])
  })

  it('passes over an end of zeros, as a power cut leaves it', async () => {
    const path = await freshPath()
    const line = `${JSON.stringify(settled('one'))}\n`
    await writeFile(path, `${line}${'\0'.repeat(4096)}\n\0\0`)
    expect(await readAll(path)).toEqual({ records: [settled('one')], whole: line.length })
  })

  it('refuses a journal that is damaged before its end', async () => {
    const path = await freshPath()
    await writeFile(path, `{"event":"what"}\n${JSON.stringify(settled('one'))}\n`)
    await expect(readAll(path)).rejects.toThrow('damaged at byte 0')
  })

  it('reads records across the chunks of a long file, and characters of several bytes', async () => {
    const path = await freshPath()
    const attempts = Array.from({ length: 3000 }, (_, index) => `ä€😀${index}`.repeat(10))
    for (let start = 0; start < attempts.length; start += 1000) {
      const lines = attempts.slice(start, start + 1000).map((attempt) => `${JSON.stringify(settled(attempt))}\n`)
      await appendFile(path, lines.join(''))
    }
    const { records } = await readAll(path)
    expect(records.map(({ attempt }) => attempt)).toEqual(attempts)
  })
})

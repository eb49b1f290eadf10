import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readTrailCopy } from './trail-copy.ts'

function made(count: number, changedAt = 0) {
  let previous = ''
  return Array.from({ length: count }, (_, at) => {
    const facts = { to: at + 1 === changedAt ? 'other' : `*${at}` }
    const body = { seq: at + 1, ts: '2026-03-01T12:00:00.000Z', event: 'job_created', facts }
    const text = [previous, body.seq, body.ts, body.event, JSON.stringify(body.facts)].join('\n')
    const entry = { ...body, prev_hash: previous, hash: hash('sha256', text) }
    previous = entry.hash
    return entry
  })
}

async function copyOf(...lines: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'faxdeck-copy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'copy'), lines.join('\n'))
  return readTrailCopy(join(folder, 'copy'))
}

describe('a copy of the audit trail', () => {
  it('is read from a file, the log of a syslog server, or what a webhook got, repeats once', async () => {
    const [one, two, three] = made(3).map((entry) => JSON.stringify(entry))
    const anchor = JSON.stringify({ anchor: { seq: 4, hash: 'a'.repeat(64) }, ts: '' })
    const copy = await copyOf(
      String(one),
      `Mar  1 12:00:00 host faxdeck: \uFEFF${two}`,
      `{"type":"trail.entries","entries":[${two},${three},${anchor}]}`,
      '{"seq":5,"ts":"20',
      'a line of something else',
    )
    expect(copy.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(copy.broken).toBeNull()
  })

  it('is found out when it was changed itself', async () => {
    const [one, two] = made(2)
    const copy = await copyOf(JSON.stringify(one), JSON.stringify({ ...two, facts: { to: '*other' } }))
    expect(copy.broken).toBe(2)
  })

  it('keeps what came first of entries that were written anew', async () => {
    const [one] = made(1)
    const other = { ...one, hash: 'b'.repeat(64) }
    const { entries } = await copyOf(JSON.stringify(one), JSON.stringify(other))
    expect(entries).toEqual([{ seq: 1, hash: one?.hash }])
  })

  it('shows by itself which entry was rewritten, in whatever order its lines come', async () => {
    const lines = (entries: ReturnType<typeof made>) => entries.map((entry) => JSON.stringify(entry))
    const [before, after] = [lines(made(5)), lines(made(7, 3))]
    expect(await copyOf(...before)).toMatchObject({ twice: null, unlinked: null })
    expect(await copyOf(...before.toReversed())).toMatchObject({ twice: null, unlinked: null })
    expect(await copyOf(...before, ...after.slice(2))).toMatchObject({ broken: null, twice: 3, unlinked: null })
    // What was rewritten never came, only what followed it.
    expect(await copyOf(...before, ...after.slice(5))).toMatchObject({ broken: null, twice: null, unlinked: 6 })
    expect(await copyOf(...after.slice(5).toReversed(), ...before)).toMatchObject({ twice: null, unlinked: 6 })
    // A log that was rotated begins anywhere.
    expect(await copyOf(...before.slice(3))).toMatchObject({ broken: null, twice: null, unlinked: null })
  })

  it('that is not there is a fault in words', async () => {
    await expect(readTrailCopy('/nowhere/at/all')).rejects.toThrow('cannot be read (ENOENT)')
  })
})

import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client, TrailComparison } from '@faxdeck/contract'
import { describe, expect, it, onTestFinished } from 'vitest'
import { verifyAudit } from './verify-audit.ts'

function chain(count: number, changedAt = 0) {
  let previous = ''
  return Array.from({ length: count }, (_, at) => {
    const body = {
      seq: at + 1,
      ts: '',
      event: 'e',
      facts: { n: at + 1 === changedAt ? 'changed' : at },
      prev_hash: previous,
    }
    previous = hash('sha256', [previous, body.seq, body.ts, body.event, JSON.stringify(body.facts)].join('\n'))
    return JSON.stringify({ ...body, hash: previous })
  })
}

/** What the command says and ends with, when the gateway compares as given. */
async function run(lines: readonly string[], comparison: Partial<TrailComparison>) {
  const folder = await mkdtemp(join(tmpdir(), 'faxdeck-verify-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'copy'), lines.join('\n'))
  const said: string[] = []
  const line = (text: string | { text: string }) => said.push(typeof text === 'string' ? text : text.text)
  const out = { progress: () => undefined, answer: (_value: unknown, print: () => void) => print(), line }
  const client = {
    verifyAuditChain: async () => ({ intact: true, checked: 9, broken_at: null }),
    compareTrail: async () => ({ fits: true, at: null, problem: null, newest: 9, ...comparison }),
  } as unknown as Client
  const given = { words: [], options: { copy: join(folder, 'copy') } }
  const code = await verifyAudit.run(given, { client, out } as never)
  return { code, text: said.join('\n') }
}

describe('verifying the audit trail against a copy', () => {
  it('ends with 0 for a copy that fits', async () => {
    const { code, text } = await run(chain(5), {})
    expect([code, text]).toEqual([0, expect.stringContaining('The copy matches the database: 5 entries')])
  })

  it('says that a backup was restored, and leaves it to a person whether that is so', async () => {
    const { code, text } = await run(chain(5), { fits: false, at: 4, problem: 'restored' })
    expect([code, text]).toEqual([1, expect.stringMatching(/records that a backup was restored.*If nobody restored/)])
  })

  it('names what the copy shows by itself, also when the database was put back to what it was', async () => {
    const { code, text } = await run([...chain(5), ...chain(7, 3).slice(2)], {})
    expect([code, text]).toEqual([1, expect.stringContaining('did not always: see its entry 3')])
    const unlinked = await run([...chain(5), ...chain(7, 3).slice(5)], {})
    expect([unlinked.code, unlinked.text]).toEqual([1, expect.stringContaining('see its entry 6')])
  })
})

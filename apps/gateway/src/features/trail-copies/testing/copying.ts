import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Database } from '../../../base/db/database.ts'
import type { Events } from '../../../base/events/events.ts'
import { type Copying, copyOn, createMemory } from '../copy-on.ts'
import type { TrailSink } from '../message.ts'

/** A line of a copy, as whoever has it reads it. */
export interface Line {
  seq?: number
  hash?: string
  prev_hash?: string
  ts: string
  event?: string
  facts?: object
  anchor?: { seq: number; hash: string }
  cut?: { misfit: { seq: number }; newest: { seq: number }; fits: number }
}

export const noTargets = { trail_syslog: null, trail_webhook_url: null, trail_file: null }

export async function testFolder() {
  const path = await mkdtemp(join(tmpdir(), 'faxdeck-trail-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

export const record = (events: Events, count: number) =>
  events.pluginRemoved(Array.from({ length: count }, (_, n) => ({ key_id: 'k', plugin: `plugin ü${n}` })))

/** Copies until nothing is left to copy. */
export function copying(database: Database, sink: TrailSink, change: Partial<Copying> = {}) {
  const parts = {
    owner: 'one',
    now: () => new Date(),
    anchorMs: 60_000,
    memory: createMemory(),
    recorded: () => [],
    ...change,
  }
  return async () => {
    while (await copyOn({ database, sink, signal: new AbortController().signal, ...parts }));
  }
}

export const linesOf = async (path: string) =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
export const isEntry = ({ event }: Line) => event !== undefined

/** What `faxdeck verify-audit --copy` asks about: of each number what the copy got first. */
export function comparedOf(lines: readonly Line[]): { seq: number; hash: string }[] {
  const first = new Map<number, string>()
  for (const { anchor, ...line } of lines) {
    const { seq, hash } = anchor ?? line
    if (seq !== undefined && hash !== undefined && !first.has(seq)) first.set(seq, hash)
  }
  return [...first].map(([seq, hash]) => ({ seq, hash }))
}

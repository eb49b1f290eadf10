import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Fault } from '../../fault.ts'

/** What a copy of the audit trail says was in the database. */
export interface TrailCopyFile {
  /** Entries and anchors: of each number the first. */
  entries: { seq: number; hash: string }[]
  /** The first entry whose hash is not that of what it says; null when all fit. */
  broken: number | null
}

interface Line {
  seq?: unknown
  ts?: unknown
  event?: unknown
  facts?: unknown
  prev_hash?: unknown
  hash?: unknown
  anchor?: { seq?: unknown; hash?: unknown }
  /** Of a webhook. */
  entries?: Line[]
}

/** The JSON of a line, behind whatever a log server writes before it; nothing of one that was cut short. */
function parsed(line: string): Line | undefined {
  const start = line.indexOf('{')
  if (start < 0) return undefined
  try {
    return JSON.parse(line.slice(start)) as Line
  } catch {
    return undefined
  }
}

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const isPlace = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0

/** Whether an entry is what its hash says: over the one before it, its place, its time, its name and its facts. */
function isOwnHash({ prev_hash, seq, ts, event, facts, hash: own }: Line): boolean {
  return own === hash('sha256', [prev_hash, seq, ts, event, JSON.stringify(facts)].join('\n'))
}

/** Reads a copy line by line. @throws {Fault} when the file cannot be read */
export async function readTrailCopy(path: string): Promise<TrailCopyFile> {
  const found = new Map<number, string>()
  let broken: number | null = null
  const take = (line: Line): void => {
    for (const inner of line.entries ?? []) take(inner)
    const { seq, hash: own } = line.anchor ?? line
    if (!isPlace(seq) || !isHash(own)) return
    if (!line.anchor && !isOwnHash(line)) broken = Math.min(broken ?? seq, seq)
    // Entries that were written anew after a cut have numbers that were there before: what came first is the witness.
    if (!found.has(seq)) found.set(seq, own)
  }
  try {
    const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
    for await (const text of lines) {
      const line = parsed(text)
      if (line) take(line)
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Fault(`The copy ${path} cannot be read (${code}).`)
  }
  const entries = [...found].map(([seq, own]) => ({ seq, hash: own })).toSorted((a, b) => a.seq - b.seq)
  return { entries, broken }
}

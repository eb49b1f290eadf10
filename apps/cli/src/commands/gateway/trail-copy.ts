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
  /** The first number that two different entries have; null when there is none. */
  twice: number | null
  /** The first entry that follows another one than the copy has before it; null when all follow. */
  unlinked: number | null
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

const earlier = (seq: number, known: number | null) => Math.min(seq, known ?? seq)

/** What was read of a copy so far, in whatever order a log server hands it out. */
class Reading {
  /** Of each number what came first: entries that were written again after a cut have numbers that were there before. */
  readonly first = new Map<number, string>()
  broken: number | null = null
  twice: number | null = null
  /** Later ones of a number that had another one. */
  readonly #others = new Map<number, string[]>()
  /** The hash before, of entries that came before the entry that they follow. */
  readonly #early: [number, string][] = []

  take(line: Line): void {
    for (const inner of line.entries ?? []) this.take(inner)
    const { seq, hash: own } = line.anchor ?? line
    if (!isPlace(seq) || !isHash(own)) return
    if (!line.anchor && !isOwnHash(line)) this.broken = earlier(seq, this.broken)
    this.#keep(seq, own)
    const { prev_hash: previous } = line
    if (line.anchor || seq === 1 || typeof previous !== 'string' || this.#has(seq - 1, previous)) return
    this.#early.push([seq, previous])
  }

  #keep(seq: number, own: string): void {
    const first = this.first.get(seq)
    if (first === undefined) this.first.set(seq, own)
    if (first === undefined || first === own) return
    this.twice = earlier(seq, this.twice)
    this.#others.set(seq, [...(this.#others.get(seq) ?? []), own])
  }

  #has = (seq: number, own: string) => this.first.get(seq) === own || this.#others.get(seq)?.includes(own) === true

  /** The first entry that follows another one than the copy has; one before which the copy has none may follow any. */
  unlinked(): number | null {
    const wrong = this.#early.filter(([seq, previous]) => this.first.has(seq - 1) && !this.#has(seq - 1, previous))
    return wrong.reduce<number | null>((least, [seq]) => earlier(seq, least), null)
  }
}

/** Reads a copy line by line. @throws {Fault} when the file cannot be read */
export async function readTrailCopy(path: string): Promise<TrailCopyFile> {
  const reading = new Reading()
  try {
    const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
    for await (const text of lines) {
      const line = parsed(text)
      if (line) reading.take(line)
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Fault(`The copy ${path} cannot be read (${code}).`)
  }
  const entries = [...reading.first].map(([seq, own]) => ({ seq, hash: own })).toSorted((a, b) => a.seq - b.seq)
  return { entries, broken: reading.broken, twice: reading.twice, unlinked: reading.unlinked() }
}

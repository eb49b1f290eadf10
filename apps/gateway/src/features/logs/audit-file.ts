import { appendFile, rename, stat, type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { ifMissing } from '../../base/error-code.ts'
import type { Events } from '../../base/events/events.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import type { Settings, SettingsInForce } from '../../base/settings/settings.ts'

/** Bytes after which a file is put aside. */
const largestFile = 10 * 1024 * 1024
const maxFiles = 5

/** Where audit events are written, one JSON line each, while AUDIT_LOG_ENABLED is on. */
export function auditFile(values: Pick<SettingsInForce, 'audit_log_file' | 'fax_data_dir'>): string {
  return values.audit_log_file ?? join(values.fax_data_dir, 'audit.log')
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}

/** `audit.log` becomes `audit.log.1`, that one `audit.log.2`, and the last one is given up. */
async function putAside(path: string): Promise<void> {
  for (let number = maxFiles - 1; number >= 0; number--) {
    const from = number === 0 ? path : `${path}.${number}`
    if ((await sizeOf(from)) > 0) await rename(from, `${path}.${number + 1}`)
  }
}

/** Copies recorded events to the audit file, in order, several per write. */
export class AuditFile {
  readonly #settings: Settings
  readonly #onFailed: (error: unknown) => void
  readonly #stop: () => void
  #waiting: string[] = []
  #writing: Promise<void> | undefined

  /** @param onFailed called when lines could not be written; the database still has the events */
  constructor(events: Pick<Events, 'onRecorded'>, settings: Settings, onFailed: (error: unknown) => void) {
    this.#settings = settings
    this.#onFailed = onFailed
    this.#stop = events.onRecorded((entry) => this.#take(entry))
  }

  /** Writes what is left and takes no more. */
  async close(): Promise<void> {
    this.#stop()
    await this.#writing
  }

  #take(entry: AuditEntry): void {
    if (!this.#settings.current().audit_log_enabled) return
    this.#waiting.push(JSON.stringify(entry))
    this.#writing ??= this.#write()
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting
      this.#waiting = []
      const path = auditFile(this.#settings.current())
      try {
        if ((await sizeOf(path)) > largestFile) await putAside(path)
        await appendFile(path, `${lines.join('\n')}\n`, { mode: 0o600 })
      } catch (error) {
        this.#onFailed(error)
      }
    }
    this.#writing = undefined
  }
}

const block = 64 * 1024
/** Bytes read at most, however long the lines are. */
const max = 32 * 1024 * 1024

async function readBackwards(file: FileHandle, count: number): Promise<string[]> {
  const { size } = await file.stat()
  const parts: Buffer[] = []
  let start = size
  let breaks = 0
  // One break more than lines: the oldest block may begin within a line.
  while (start > 0 && breaks <= count && size - start < max) {
    const length = Math.min(block, start)
    start -= length
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start)
    const part = buffer.subarray(0, bytesRead)
    parts.unshift(part)
    for (const byte of part) if (byte === 10) breaks++
  }
  const lines = Buffer.concat(parts).toString('utf8').split('\n')
  if (start > 0) lines.shift()
  return lines.filter((line) => line !== '').slice(-count)
}

async function lastOf(path: string, count: number): Promise<string[]> {
  const file = await open(path, 'r').catch(ifMissing(undefined))
  if (!file) return []
  try {
    return await readBackwards(file, count)
  } finally {
    await file.close()
  }
}

/** The last lines of a file, oldest first, going on in the file put aside before it. A missing file has no lines. */
export async function lastLines(path: string, count: number): Promise<string[]> {
  const lines = await lastOf(path, count)
  if (lines.length >= count) return lines
  return [...(await lastOf(`${path}.1`, count - lines.length)), ...lines]
}

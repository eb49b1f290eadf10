import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { currentRequestId } from '../base/http/callers/request-context.ts'
import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const frame = /(?<file>file:\/\/[^\s()]+\.js):(?<line>\d+):(?<column>\d+)/g
const maps = new Map<string, SourceMap | undefined>()

/** Read when an error is logged, not at the start: Node's own support keeps the maps of everything in memory. */
function mapOf(file: string): SourceMap | undefined {
  if (maps.has(file)) return maps.get(file)
  let map: SourceMap | undefined
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload)
  } catch {
    // A file without a map is shown as it is.
  }
  maps.set(file, map)
  return map
}

/** A stack trace that names the lines of the sources, where the bundle beside it has a map of them. */
export function withSourceLines(stack: string): string {
  return stack.replace(frame, (shown, file: string, line: string, column: string) => {
    const path = fileURLToPath(file)
    const entry = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return shown
    return `${join(dirname(path), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

const levelNames: Readonly<Record<number, string>> = { 30: '', 40: 'Warning: ', 50: 'Error: ', 60: 'Fatal: ' }
const shown = new Set(['provider', 'keys', 'problems', 'kind', 'route', 'request_id'])

interface LogLine {
  level: number
  time: string
  msg?: string
  err?: { message?: string; stack?: string }
  [fact: string]: unknown
}

/** A log line for a person: the clock, the sentence, the few facts that help, and of an error its stack. */
function humanLine(json: string): string {
  const line = JSON.parse(json) as LogLine
  const clock = new Date(line.time).toTimeString().slice(0, 8)
  const facts = Object.entries(line)
    .filter(([name]) => shown.has(name))
    .map(([name, value]) => ` ${name}=${String(value)}`)
  const shortError = line.err ? `\n  ${line.err.stack ?? line.err.message ?? ''}` : ''
  return `${clock} ${levelNames[line.level] ?? ''}${line.msg ?? ''}${facts.join('')}${shortError}\n`
}

interface LogOptions {
  /** Names under which a secret could stand. */
  secrets: readonly string[]
  /** Lines for a person instead of JSON. */
  human: boolean
  write: (text: string) => void
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const reported = stdSerializers.err(error)
  return { ...reported, stack: withSourceLines(reported.stack) }
}

function nameRequest(): object {
  const id = currentRequestId()
  return id === undefined ? {} : { request_id: id }
}

/** The process's log: JSON lines, or plain ones on a terminal, with the id of the request that causes them. Secrets are blacked out; faxes and numbers are not logged at all. */
export function createLog({ secrets, human, write }: LogOptions): Logger {
  const destination: DestinationStream = { write: (line) => write(human ? humanLine(line) : line) }
  const paths = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`])
  return pino(
    {
      base: undefined,
      mixin: nameRequest,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      redact: { paths: [...paths, 'headers.authorization', 'headers["x-api-key"]'], censor: '***' },
    },
    destination,
  )
}

import type { Job, LogEntry } from '@faxdeck/contract'
import { watch } from '../../api/live/watch.ts'
import { demoFile, demoFiles, fileNames } from './demo-files.ts'
import {
  askHealth,
  askStatus,
  askVersion,
  findJobs,
  isFinal,
  listEvents,
  listJobs,
  listKeys,
  listReceived,
  ownKeyId,
  readJob,
  sendFile,
} from './queries.ts'

/** What a command may do while it runs. */
interface Run {
  args: readonly string[]
  /** Writes a line of text at once; anything that controls a terminal is taken out of it. */
  print: (line: string) => void
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Characters in a row. */
  width: number
}

type Lines = readonly string[] | undefined

/** One command of the simulated shell. */
export interface Command {
  name: string
  /** What follows the name: "NUMBER FILE". */
  usage?: string
  about: string
  /** What may stand in each place after the name, for the Tab key. */
  complete?: readonly (readonly string[])[]
  /** @returns lines to write. @throws {UsageProblem} */
  run: (run: Run) => Lines | Promise<Lines>
}

/** What follows the name of a command does not fit. */
export class UsageProblem extends Error {
  override name = 'UsageProblem'
}

/** Longer cells end in "…", but for those of the last column. */
const longestCell = 28

const shortened = (row: readonly string[]) =>
  row.map((cell, index) =>
    index < row.length - 1 && cell.length > longestCell ? `${cell.slice(0, longestCell - 1)}…` : cell,
  )

/** Rows of cells as text, each column as wide as its longest cell. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map(shortened)
  const widths = (cells[0] ?? []).map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)))
  return cells.map((row) => {
    const padded = row.map((cell, index) => cell.padEnd(widths[index] ?? 0))
    return padded.join('  ').trimEnd()
  })
}

/** Rows below a head; where there is no room for them side by side, each cell with its name on a line of its own. */
function table(head: readonly string[], rows: readonly (readonly string[])[], width: number): string[] {
  const wide = columns([head, ...rows])
  // The last column may go on in the next line.
  if ((wide[0]?.length ?? 0) <= width - 8) return wide
  return rows.flatMap((row) => [...columns(head.map((name, index) => [name.toLowerCase(), row[index] ?? ''])), ''])
}

const maxPolls = 11
const maxEntries = 100
const testNumbers = ['+15555550123', '+15555550100', '+15555550103', '+15555550106']
const brief = (id: string) => id.slice(0, 8)
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new DOMException('Stopped by Ctrl-C.', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop)
  })
}

function stateWords({ status, held, needs_attention: waits }: Job): string {
  if (held) return `${status}, held since a restore`
  if (!waits) return status
  return status === 'FAILED' ? `${status}, part of it may have arrived` : `${status}, waiting for a decision`
}

/** Prints every change of a fax until it is final; the jobs screen goes on after that. */
async function follow(id: string, known: string, { print, signal }: Run): Promise<Lines> {
  let status = known
  for (let polls = 0; polls < maxPolls && !isFinal(status); polls += 1) {
    await wait(watch.job, signal)
    const job = await readJob(id, signal)
    if (job.status !== status) print(job.error ? `${job.status}: ${job.error}` : job.status)
    status = job.status
  }
  return isFinal(status) ? undefined : [`Still ${status}. Type job ${brief(id)} to check again.`]
}

async function send(run: Run): Promise<Lines> {
  const name = run.args.at(-1)
  const number = run.args.slice(0, -1).join('')
  if (!name || !number) throw new UsageProblem()
  const file = demoFile(name)
  if (!file) return [`send: no demo file named ${name}. Type ls.`]
  const { id, status } = await sendFile(number, file)
  run.print(`Fax ${brief(id)} is ${status}.`)
  return follow(id, status, run)
}

async function showJob({ args: [start], signal }: Run): Promise<Lines> {
  if (!start || !/^[0-9a-f]{1,32}$/.test(start)) throw new UsageProblem()
  const [found, another] = await findJobs(start, signal)
  if (!found) return [`No fax ID starts with ${start}.`]
  if (another) return [`Several fax IDs start with ${start}. Type more characters.`]
  const job = await readJob(found.id, signal)
  return columns([
    ['id', job.id],
    ['to', job.to_number],
    ['status', stateWords(job)],
    ['provider', job.test ? `${job.backend} (test: no fax is sent)` : job.backend],
    ['pages', String(job.pages ?? '-')],
    ['file', job.file_name ?? '-'],
    ['created', job.created_at],
    ['updated', job.updated_at],
    ...(job.error ? [['error', job.error]] : []),
  ])
}

async function showStatus({ signal }: Run): Promise<Lines> {
  const status = await askStatus(signal)
  const { queued, in_progress, recent_failures } = status.jobs
  return columns([
    ['provider', `${status.backend}, ${status.backend_healthy ? 'healthy' : 'unhealthy'}`],
    ...(status.problem ? [['problem', status.problem]] : []),
    ['queued', String(queued)],
    ['in progress', String(in_progress)],
    ['failed recently', String(recent_failures)],
    ['receiving', status.inbound_enabled ? 'on' : 'off'],
    ['keys required', status.require_auth ? 'yes' : 'no'],
  ])
}

async function showJobs({ signal, width }: Run): Promise<Lines> {
  const { jobs, total } = await listJobs(signal)
  if (jobs.length === 0) return ['No faxes sent yet.']
  const rows = jobs.map(({ id, to_number: to, status, backend, pages, error }) => {
    return [brief(id), to, status, backend, String(pages ?? '-'), error ?? '']
  })
  const lines = table(['JOB', 'TO', 'STATUS', 'PROVIDER', 'PAGES', 'ERROR'], rows, width)
  return total > jobs.length ? [...lines, `${jobs.length} of ${total}`] : lines
}

async function showInbox({ signal, width }: Run): Promise<Lines> {
  const faxes = await listReceived(signal)
  if (faxes.length === 0) return ['No faxes received yet.']
  const hidden = (number: string | null) => (number ? `…${number.slice(-4)}` : '-')
  const rows = faxes.map(({ id, fr, to, status, pages, received_at: at }) => {
    return [brief(id), hidden(fr), hidden(to), status, String(pages ?? '-'), at]
  })
  return table(['FAX', 'FROM', 'TO', 'STATUS', 'PAGES', 'RECEIVED'], rows, width)
}

async function showKeys({ signal, width }: Run): Promise<Lines> {
  const keys = await listKeys(signal)
  if (keys.length === 0) return ['No API keys yet.']
  const rows = keys.map((key) => [key.key_id, key.name ?? '-', key.owner ?? '-', key.scopes.join(',')])
  return table(['KEY', 'NAME', 'OWNER', 'SCOPES'], rows, width)
}

function entryLine({ ts, event, ...facts }: LogEntry): string[] {
  const reported = Object.entries(facts).map(([name, value]) => `${name}=${textOf(value)}`)
  return [ts, event, reported.join(' ')]
}

async function showLogs({ args, signal }: Run): Promise<Lines> {
  const count = Number(args[0] ?? 10)
  if (!Number.isInteger(count) || count < 1) throw new UsageProblem()
  const { items } = await listEvents(Math.min(count, maxEntries), signal)
  return items.length === 0 ? ['No entries yet.'] : columns(items.toReversed().map(entryLine))
}

async function showOwnKey({ signal }: Run): Promise<Lines> {
  const id = ownKeyId()
  const own = (await listKeys(signal)).find((key) => key.key_id === id)
  if (!own) return ['the bootstrap key of this installation']
  return [`${own.name ?? 'an unnamed key'}, ${own.key_id}, owner ${own.owner ?? 'unknown'}`]
}

function showFile({ args: [name] }: Run): Lines {
  if (!name) throw new UsageProblem()
  if (!Object.hasOwn(demoFiles, name)) return [`cat: no demo file named ${name}. Type ls.`]
  return demoFiles[name]?.trimEnd().split('\n')
}

function listFiles(): Lines {
  return columns(fileNames.map((name) => [String(demoFiles[name]?.length ?? 0).padStart(5), name]))
}

function showTime(): Lines {
  const now = new Date()
  return [now.toString(), now.toISOString()]
}

const helpLine = ({ name, usage, about }: Command) => [`  ${usage ? `${name} ${usage}` : name}`, about]

/**
 * Every command, by name. Those about the gateway ask it with the rights of the person's own key.
 * @param shell what the shell itself is asked to do
 */
export function commandsWith(shell: { clear: () => void; exit: () => void }): readonly Command[] {
  const done = (work: () => void) => (): Lines => {
    work()
    return undefined
  }
  const commands: Command[] = [
    { name: 'cat', usage: 'FILE', about: 'show a demo file', complete: [fileNames], run: showFile },
    { name: 'clear', about: 'clear the screen', run: done(shell.clear) },
    { name: 'date', about: 'show the time', run: showTime },
    { name: 'exit', about: 'end the session', run: done(shell.exit) },
    {
      name: 'health',
      about: 'check that the gateway answers',
      run: async ({ signal }) => [(await askHealth(signal)).status],
    },
    { name: 'help', about: 'list the commands', run: () => columns(commands.map(helpLine)) },
    { name: 'inbox', about: 'list the newest received faxes', run: showInbox },
    { name: 'job', usage: 'ID', about: 'show one fax; the first characters of its ID are enough', run: showJob },
    { name: 'jobs', about: 'list the newest sent faxes', run: showJobs },
    { name: 'keys', about: 'list the API keys', run: showKeys },
    { name: 'logs', usage: '[COUNT]', about: 'show the newest audit entries, 10 by default', run: showLogs },
    { name: 'ls', about: 'list the demo files', run: listFiles },
    {
      name: 'send',
      usage: 'NUMBER FILE',
      about: 'fax a demo file and show its progress; Ctrl-C stops watching',
      complete: [testNumbers, fileNames],
      run: send,
    },
    { name: 'status', about: 'show the state of the provider and the queue', run: showStatus },
    {
      name: 'version',
      about: 'show the gateway version',
      run: async ({ signal }) => [`Faxdeck ${(await askVersion(signal)).version}`],
    },
    { name: 'whoami', about: 'show whose key this console uses', run: showOwnKey },
  ]
  return commands
}

import type { Job } from '@faxdeck/contract'
import { watch } from '../../api/live/watch.ts'
import { type Command, columns, type Run, table, UsageProblem } from './command.ts'
import { demoFile, fileNames } from './demo-files.ts'
import { findJobs, isFinal, listJobs, listReceived, readJob, sendFile } from './queries.ts'

const maxPolls = 11
const testNumbers = ['+15555550123', '+15555550100', '+15555550103', '+15555550106']
const brief = (id: string) => id.slice(0, 8)

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new DOMException('Stopped by Ctrl-C.', 'AbortError'))
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      stop()
    })
  })
}

function stateWords({ status, held, needs_attention: waits }: Job): string {
  if (held) return `${status}, held since a restore`
  if (!waits) return status
  return status === 'FAILED' ? `${status}, part of it may have arrived` : `${status}, waiting for a decision`
}

function reportJob(job: Job, print: Run['print']): void {
  const rows = [
    ['id', job.id],
    ['to', job.to_number],
    ['status', stateWords(job)],
    ['provider', job.test ? `${job.backend} (test: no fax is sent)` : job.backend],
    ['pages', String(job.pages ?? '-')],
    ['file', job.file_name ?? '-'],
    ['created', job.created_at],
    ['updated', job.updated_at],
    ...(job.error ? [['error', job.error]] : []),
  ]
  for (const line of columns(rows)) print(line)
}

/** Tells every change of a fax until it is final; the jobs screen goes on after that. */
async function follow(id: string, known: string, { print, signal }: Run): Promise<void> {
  let status = known
  for (let polls = 0; polls < maxPolls && !isFinal(status); polls += 1) {
    await wait(watch.job, signal)
    const job = await readJob(id, signal)
    if (job.status !== status) print(job.error ? `${job.status}: ${job.error}` : job.status)
    status = job.status
  }
  if (!isFinal(status)) print(`Still ${status}. Type job ${brief(id)} to check again.`)
}

const sendCommand: Command = {
  name: 'send',
  usage: 'NUMBER FILE',
  about: 'fax a demo file and show its progress; Ctrl-C stops watching',
  complete: [testNumbers, fileNames],
  run: async (run) => {
    const name = run.args.at(-1)
    const number = run.args.slice(0, -1).join('')
    if (!name || !number) throw new UsageProblem()
    const file = demoFile(name)
    if (!file) {
      run.print(`send: no demo file named ${name}. Type ls.`)
      return
    }
    const { id, status } = await sendFile(number, file)
    run.print(`Fax ${brief(id)} is ${status}.`)
    await follow(id, status, run)
  },
}

const jobCommand: Command = {
  name: 'job',
  usage: 'ID',
  about: 'show one fax; the first characters of its ID are enough',
  run: async ({ args: [start], print, signal }) => {
    if (!start || !/^[0-9a-f]{1,32}$/.test(start)) throw new UsageProblem()
    const [found, another] = await findJobs(start, signal)
    if (!found) {
      print(`No fax ID starts with ${start}.`)
      return
    }
    if (another) {
      print(`Several fax IDs start with ${start}. Type more characters.`)
      return
    }
    reportJob(await readJob(found.id, signal), print)
  },
}

/** Commands about faxes. */
export const faxCommands: Command[] = [
  {
    name: 'jobs',
    about: 'list the newest sent faxes',
    run: async ({ print, signal, width }) => {
      const { jobs, total } = await listJobs(signal)
      if (jobs.length === 0) {
        print('No faxes sent yet.')
        return
      }
      const rows = jobs.map((job) => [
        brief(job.id),
        job.to_number,
        job.status,
        job.backend,
        String(job.pages ?? '-'),
        job.error ?? '',
      ])
      for (const line of table(['JOB', 'TO', 'STATUS', 'PROVIDER', 'PAGES', 'ERROR'], rows, width)) print(line)
      if (total > jobs.length) print(`${jobs.length} of ${total}`)
    },
  },
  jobCommand,
  {
    name: 'inbox',
    about: 'list the newest received faxes',
    run: async ({ print, signal, width }) => {
      const faxes = await listReceived(signal)
      if (faxes.length === 0) {
        print('No faxes received yet.')
        return
      }
      const hidden = (number: string | null) => (number ? `…${number.slice(-4)}` : '-')
      const rows = faxes.map((fax) => [
        brief(fax.id),
        hidden(fax.fr),
        hidden(fax.to),
        fax.status,
        String(fax.pages ?? '-'),
        fax.received_at,
      ])
      for (const line of table(['FAX', 'FROM', 'TO', 'STATUS', 'PAGES', 'RECEIVED'], rows, width)) print(line)
    },
  },
  sendCommand,
]

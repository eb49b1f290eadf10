import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Host, IncomingFax, StatusUpdate } from '../provider.ts'

/** A gateway's side of a line, in a folder of the running test: notes what is reported. */
export class RecordingHost implements Host {
  readonly reports: StatusUpdate[] = []
  readonly received: IncomingFax[] = []
  readonly warnings: string[] = []
  readonly publicUrl = 'https://fax.example.test'
  readonly directory: string
  /** Whether faxes are received. */
  receives = true
  /** Called before each report and receipt; throws to refuse them. */
  refuse: (what: 'report' | 'receive') => void = () => undefined

  constructor(directory: string) {
    this.directory = directory
  }

  fetch: Host['fetch'] = () => Promise.reject(new Error('This line speaks no HTTP.'))
  now = (): Date => new Date()
  log: Host['log'] = { info: () => undefined, warn: (message) => void this.warnings.push(message) }

  report = async (update: StatusUpdate): Promise<void> => {
    this.refuse('report')
    this.reports.push(update)
  }

  receive = async (fax: IncomingFax): Promise<boolean> => {
    this.refuse('receive')
    if (this.receives) this.received.push(fax)
    return this.receives
  }
}

/** A folder of the running test, gone when it is over. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdeck-line-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

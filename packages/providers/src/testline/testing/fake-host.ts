import { readFile } from 'node:fs/promises'
import type { Host, IncomingFax, OutgoingFax, StatusUpdate } from '@faxdeck/provider-kit'

/** A gateway's side of the line: notes what is reported, and copies received pages before it acknowledges them. */
export class FakeHost implements Host {
  readonly reports: StatusUpdate[] = []
  readonly received: { fax: IncomingFax; pages: string | undefined }[] = []
  readonly warnings: string[] = []
  readonly publicUrl = 'https://fax.example.org'
  readonly directory: string
  /** Called before each report and receipt; throws to refuse them. */
  refuse: (what: 'report' | 'receive') => void = () => undefined

  constructor(directory: string) {
    this.directory = directory
  }

  fetch: Host['fetch'] = () => Promise.reject(new Error('The test line speaks to nobody.'))
  now = (): Date => new Date()
  log: Host['log'] = { info: () => undefined, warn: (message) => void this.warnings.push(message) }

  report = async (update: StatusUpdate): Promise<void> => {
    this.refuse('report')
    this.reports.push(update)
  }

  receive = async (fax: IncomingFax): Promise<boolean> => {
    this.refuse('receive')
    const path = fax.document && 'path' in fax.document ? fax.document.path : undefined
    this.received.push({ fax, pages: path && (await readFile(path, 'utf8')) })
    return true
  }
}

let attempts = 0

/** A fax to send, with an attempt id of its own. */
export function faxTo(to: string, tiffPath: string): OutgoingFax {
  const attemptId = `attempt${(attempts += 1)}`
  return {
    jobId: `job-of-${attemptId}`,
    attemptId,
    to,
    pages: 3,
    pdf: () => Promise.reject(new Error('The test line takes pages.')),
    tiffPath,
    documentUrl: () => Promise.reject(new Error('The test line fetches nothing.')),
    callbackUrl: null,
  }
}

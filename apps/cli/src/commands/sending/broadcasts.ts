import { randomUUID } from 'node:crypto'
import type { Broadcast, BroadcastDetail } from '@faxdeck/contract'
import { type Command, command, type Desk, flag, option } from '../../command.ts'
import { usageFault } from '../../fault.ts'
import { timeOf } from '../../terminal/fax-lines.ts'
import { cursor, limit, limitOf } from '../../calls/limit.ts'
import { readPaper } from '../../terminal/paper.ts'
import { forceOption, saveAnswer } from '../../terminal/write-file.ts'
import {
  pageFieldsOf,
  pageOptions,
  unlikelyChoice,
  unlikelyField,
  unlikelyOption,
  unreadableOf,
  unreadableOption,
} from './page-options.ts'

const heading = [
  'Broadcast',
  'State',
  'Faxes',
  'Delivered',
  'Failed',
  'Canceled',
  'Unconfirmed',
  'Left',
  'Since',
  'Document',
]

function rowOf({ id, state, faxes, counts, created_at, file_name }: Broadcast): string[] {
  const { delivered, failed, cancelled, unconfirmed, queued, in_progress: underWay } = counts
  const numbers = [faxes, delivered, failed, cancelled, unconfirmed, queued + underWay].map(String)
  return [id, state, ...numbers, timeOf(created_at), file_name ?? '']
}

/** One broadcast, and what was left out of its list. */
function show({ out }: Desk, broadcast: BroadcastDetail): void {
  out.answer(broadcast, () => out.table(heading, [rowOf(broadcast)]))
  for (const { row, text, reason } of broadcast.skipped_rows) out.note(`Row ${row} was skipped ("${text}"): ${reason}`)
  if (broadcast.duplicates > 0) out.note(`${broadcast.duplicates} repeated numbers get one fax each.`)
}

const send = command({
  name: 'broadcast send',
  takes: '<document> <list>',
  summary: 'Send a document to every number of a list, up to 5,000',
  about:
    'The list is a file with one number per line, CSV with the columns fax, name and reference, or a JSON array; - reads it from standard input. Either all faxes are accepted or none; repeated numbers get one fax. The command returns once the gateway has stored the faxes.',
  options: {
    'skip-invalid': flag(
      'Skip rows without a valid fax number. Without this option, such rows keep everything from being sent.',
    ),
    name: option('<name>', 'The document name that people see.'),
    ...pageOptions,
    ...unreadableOption,
    ...unlikelyOption,
    'idempotency-key': option(
      '<text>',
      'Repeating the command with the same key returns the same broadcast. By default, each run gets a new key.',
    ),
  },
  examples: [
    'faxdeck broadcast send news.pdf clinics.csv',
    'faxdeck broadcast send news.pdf clinics.csv --cover plain --skip-invalid',
    'cut -d, -f2 clinics.csv | faxdeck broadcast send news.pdf -',
  ],
  async run({ words: [document = '', path = ''], options }, desk) {
    if (document === '-' && path === '-') throw usageFault('Standard input can be the document or the list, not both.')
    const pages = { ...pageFieldsOf(options), ...unreadableOf(options), ...unlikelyField(options) }
    const file = await readPaper(document, options.name)
    const recipients = (await (await readPaper(path)).text()).replace(/^\ufeff/, '')
    const key = options['idempotency-key'] ?? randomUUID()
    desk.out.progress('Uploading…')
    const form = { file, recipients, ...pages, skip_invalid: options['skip-invalid'] ? 'true' : 'false' } as const
    show(desk, await desk.client.createBroadcast({ form }, { headers: { 'idempotency-key': key } }))
  },
})

const list = command({
  name: 'broadcast list',
  summary: 'List broadcasts, newest first',
  about: 'Those of your key; all of them with an administrator key.',
  options: { limit, cursor },
  examples: ['faxdeck broadcast list', 'faxdeck broadcast list --json'],
  async run({ options }, { client, out }) {
    const next = options.cursor === undefined ? {} : { cursor: options.cursor }
    const page = await client.listBroadcasts({ query: { limit: Math.min(limitOf(options.limit), 50), ...next } })
    out.answer(page, () => {
      if (page.broadcasts.length > 0) out.table(heading, page.broadcasts.map(rowOf))
    })
    if (page.next_cursor !== null) out.note(`The next page: --cursor ${page.next_cursor}`)
  },
})

const verbs = {
  status: ['getBroadcast', 'Show the progress of a broadcast, and which rows of its list were skipped'],
  pause: ['pauseBroadcast', 'Pause a broadcast: no further fax is started'],
  resume: ['resumeBroadcast', 'Resume a paused broadcast'],
  cancel: ['cancelBroadcast', 'Cancel the faxes of a broadcast that have not been sent; this is final'],
} as const

const steering = Object.entries(verbs).map(([verb, [call, summary]]) =>
  command({
    name: `broadcast ${verb}`,
    takes: '<broadcast>',
    summary,
    examples: [`faxdeck broadcast ${verb} 3f2a9c0b7d5e41868a1c6f0e92b4d7a5`],
    async run({ words: [id = ''] }, desk) {
      show(desk, await desk.client[call]({ params: { id } }))
    },
  }),
)

const resend = command({
  name: 'broadcast resend',
  takes: '<broadcast>',
  summary: 'Send the failed faxes of a broadcast again, as a new broadcast',
  about:
    'Faxes that were delivered, may have been delivered, were canceled, or were already sent again are left out. So are numbers that are not in service or that a person answered, unless --force is given.',
  options: {
    'idempotency-key': option('<text>', 'Repeating the command with the same key returns the same broadcast.'),
    force: flag('Also call numbers that are not in service or that a person answered.'),
    ...unlikelyOption,
  },
  examples: ['faxdeck broadcast resend 3f2a9c0b7d5e41868a1c6f0e92b4d7a5'],
  async run({ words: [id = ''], options }, desk) {
    const headers = { 'idempotency-key': options['idempotency-key'] ?? randomUUID() }
    const body = { ...unlikelyChoice(options), ...(options.force && { force: true }) }
    show(desk, await desk.client.resendBroadcast({ params: { id }, body }, { headers }))
  },
})

const outcomes = command({
  name: 'broadcast outcomes',
  takes: '<broadcast> [<file>]',
  summary: 'Save the outcome of each fax of a broadcast as CSV',
  about: 'Without a file, it is written to standard output. Numbers are not masked. Only your user can read the file.',
  options: { force: forceOption },
  examples: ['faxdeck broadcast outcomes 3f2a9c0b7d5e41868a1c6f0e92b4d7a5 outcomes.csv'],
  async run({ words: [id = '', path = '-'], options }, { client, out }) {
    const csv = await client.exportBroadcast({ params: { id } })
    await saveAnswer(csv, { path, force: options.force, out, facts: { id } })
  },
})

/** One document to many numbers. */
export const broadcasts: readonly Command[] = [send, list, ...steering, resend, outcomes]

import { numbersOption } from '../sending/page-options.ts'
import { CallProblem, type InboundFax, maskNumber, type ReceivedFax } from '@faxdeck/contract'
import { setTimeout as pause } from 'node:timers/promises'
import { lookAtArrivals } from '../../calls/fax-events.ts'
import { command, type Desk, flag, option } from '../../command.ts'
import { exitCodes } from '../../exit-codes.ts'
import { faultOf, usageFault } from '../../fault.ts'
import { ReceivedFolder } from '../../calls/save-received.ts'
import { stateCell, timeOf } from '../../terminal/fax-lines.ts'
import { cursor, limit, limitOf } from '../../calls/limit.ts'

const states = ['waiting', 'received', 'failed'] as const

const shown = (fax: InboundFax, numbers: boolean): InboundFax =>
  numbers ? fax : { ...fax, fr: fax.fr && maskNumber(fax.fr), to: fax.to && maskNumber(fax.to) }

const rowOf = (fax: InboundFax) => [
  fax.id,
  fax.fr ?? 'unknown',
  fax.to ?? '',
  stateCell(fax),
  String(fax.pages ?? ''),
  timeOf(fax.received_at),
  fax.error ?? (fax.read_at === null ? 'unread' : ''),
]

/** Between two tries to reach a gateway that is away. */
const awayMs = 5000

/** Whether the gateway is only away: it cannot be reached, is starting or stopping, or broke off in the middle of an answer. */
function isAway(error: unknown): boolean {
  if (error instanceof CallProblem && error.status >= 502) return true
  // As fetch says it of a connection.
  const isBroken = error instanceof TypeError && error.cause instanceof Error
  return isBroken || faultOf(error)?.exitCode === exitCodes.unreachable
}

/** Saves what arrives until the program is ended. The list says what there is; the stream only when to look. */
async function followInto(folder: ReceivedFolder, { out, open, url }: Desk): Promise<never> {
  await folder.catchUp()
  out.progress(`Saving what arrives at ${url}. Ctrl-C ends it.`)
  for (;;) {
    try {
      await lookAtArrivals(open, () => folder.catchUp())
    } catch (error) {
      if (!isAway(error)) throw error
    }
    out.progress(`The connection to ${url} broke. Reconnecting…`)
    await pause(awayMs)
  }
}

interface Saving {
  save: string
  to: string | null
  follow: boolean
  details: boolean
}

async function saveAll({ save: path, to, follow, details: withDetails }: Saving, desk: Desk): Promise<void> {
  const { client, url, out } = desk
  const onSaved = (fax: ReceivedFax, saved: string | null) => {
    out.answer({ id: fax.id, path: saved, received_at: fax.received_at, pages: fax.pages }, () => {
      if (saved !== null) out.line(saved)
    })
    if (saved === null) out.note(`${fax.id} has no document: ${fax.error ?? 'it was removed.'}`)
  }
  const folder = await ReceivedFolder.open({ client, url, folder: path, to, withDetails, onSaved })
  try {
    await (follow ? followInto(folder, desk) : folder.catchUp())
  } finally {
    await folder.close()
  }
}

export const inbox = command({
  name: 'inbox',
  summary: 'List received faxes, newest first, or save them to a folder',
  about:
    'With --save, every received fax that has a document is saved as PDF to the folder, oldest first, and the folder remembers up to which one: the next run goes on from there, also after it was killed. With --follow, it goes on with what arrives. A file appears under its name once it is complete and on the disk.',
  options: {
    save: option('<folder>', 'Save the faxes that are not in this folder yet.'),
    follow: flag('With --save: keep running, and save what arrives.', { short: 'f' }),
    details: flag('With --save: write what is known of each fax beside its document, as JSON.'),
    status: option('<state>', 'Only faxes in this state.', { choices: states }),
    to: option('<number>', 'Only faxes received on this number.'),
    limit,
    cursor,
    numbers: numbersOption,
  },
  examples: [
    'faxdeck inbox',
    'faxdeck inbox --status received --limit 10 --numbers',
    'faxdeck inbox --follow --save /srv/faxes',
  ],
  async run({ options }, desk) {
    const { client, out } = desk
    const { save, follow = false, details = false } = options
    if (save !== undefined && [options.status, options.limit, options.cursor].some((each) => each !== undefined))
      throw usageFault('--save saves every fax, and remembers its place: leave out --status, --limit and --cursor.')
    if (save !== undefined) return saveAll({ save, to: options.to ?? null, follow, details }, desk)
    if (follow || details) throw usageFault('Specify --save <folder>, where the faxes go.')
    const status = states.find((state) => state === options.status)
    if (options.status !== undefined && !status) throw usageFault(`--status is one of ${states.join(', ')}.`)
    const count = limitOf(options.limit)
    const query = {
      limit: count,
      ...(status ? { status } : {}),
      ...(options.to === undefined ? {} : { to_number: options.to }),
      ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
    }
    const faxes = (await client.listInbound({ query })).map((fax) => shown(fax, options.numbers === true))
    out.answer(faxes, () => {
      if (faxes.length > 0) out.table(['Fax', 'From', 'To', 'State', 'Pages', 'Received', ''], faxes.map(rowOf))
    })
    const last = faxes.length === count ? faxes.at(-1) : undefined
    out.note(last ? `${faxes.length} shown. The next page: --cursor ${last.cursor}` : `${faxes.length} shown.`)
  },
})

import { numbersOption } from '../sending/page-options.ts'
import { type InboundFax, maskNumber } from '@faxdeck/contract'
import { command, option } from '../../command.ts'
import { usageFault } from '../../fault.ts'
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

export const inbox = command({
  name: 'inbox',
  summary: 'List received faxes, newest first',
  options: {
    status: option('<state>', 'Only faxes in this state.', { choices: states }),
    to: option('<number>', 'Only faxes received on this number.'),
    limit,
    cursor,
    numbers: numbersOption,
  },
  examples: ['faxdeck inbox', 'faxdeck inbox --status received --limit 10 --numbers'],
  async run({ options }, { client, out }) {
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

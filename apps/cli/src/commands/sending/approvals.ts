import { maskNumber, type PendingFax } from '@faxdeck/contract'
import { type Command, command, flag } from '../../command.ts'
import { changeEach, noteRefused } from '../../calls/each-job.ts'
import { timeOf } from '../../terminal/fax-lines.ts'
import { limit, limitOf } from '../../calls/limit.ts'
import { numbersOption, unreadableOf, unreadableOption } from './page-options.ts'

const shown = (request: PendingFax, numbers: boolean): PendingFax => ({
  ...request,
  to: numbers ? request.to : maskNumber(request.to),
})

const list = command({
  name: 'approvals list',
  summary: 'List faxes that assistants asked to send, for a person to decide',
  about: 'Requires an administrator key. Look at the pages in the console before you approve.',
  options: {
    decided: flag('List recently decided requests instead of waiting ones.'),
    numbers: numbersOption,
    limit,
  },
  examples: ['faxdeck approvals list', 'faxdeck approvals list --decided --json'],
  async run({ options }, { client, out }) {
    const state = options.decided ? 'decided' : 'waiting'
    const found = await client.listApprovals({ query: { state, limit: limitOf(options.limit) } })
    const requests = found.map((request) => shown(request, options.numbers === true))
    out.answer(requests, () => {
      const rows = requests.map((each) => [
        each.id,
        each.to,
        each.state,
        String(each.pages),
        each.asked_by_name ?? each.asked_by,
        timeOf(options.decided ? (each.decided_at ?? each.created_at) : each.expires_at),
        each.job_id ?? '',
      ])
      const time = options.decided ? 'Decided' : 'Expires'
      if (rows.length > 0) out.table(['Request', 'To', 'State', 'Pages', 'Asked by', time, 'Fax'], rows)
    })
    if (requests.length === 0) out.note(options.decided ? 'No request was decided recently.' : 'No request is waiting.')
  },
})

const approve = command({
  name: 'approvals approve',
  takes: '<request>…',
  max: 100,
  summary: 'Approve faxes that assistants asked to send',
  about: 'If a request was already approved, its fax is returned; nothing is sent twice.',
  options: { ...unreadableOption },
  examples: ['faxdeck approvals approve apr_3f2a9c0b7d5e41868a1c6f0e92b4d7a5'],
  async run({ words, options }, { client, out }) {
    const body = unreadableOf(options)
    const changed = await changeEach(words, (id) => client.approveFax({ params: { id }, body }))
    out.answer({ approved: changed.jobs.map((each) => shown(each, false)), refused: changed.refused }, () => {
      for (const { id, job_id: fax } of changed.jobs) out.line(`${id} approved: fax ${fax ?? ''}`)
    })
    noteRefused(out, changed)
    return changed.exitCode
  },
})

const refuse = command({
  name: 'approvals refuse',
  takes: '<request>…',
  max: 100,
  summary: 'Refuse faxes that assistants asked to send',
  about: 'Their documents are deleted. This cannot be undone.',
  examples: ['faxdeck approvals refuse apr_3f2a9c0b7d5e41868a1c6f0e92b4d7a5'],
  async run({ words }, { client, out }) {
    const changed = await changeEach(words, (id) => client.refuseFax({ params: { id } }))
    out.answer({ refused: changed.jobs.map((each) => shown(each, false)), failed: changed.refused }, () => {
      for (const { id } of changed.jobs) out.line(`${id} refused.`)
    })
    noteRefused(out, changed)
    return changed.exitCode
  },
})

/** What assistants ask for and a person decides about. */
export const approvals: readonly Command[] = [list, approve, refuse]

import { holdKinds, type LegalHold } from '@faxdeck/contract'
import { command, option } from '../../command.ts'
import { oneOf, required } from '../../fault.ts'
import { timeOf } from '../../terminal/fax-lines.ts'

const rowOf = (hold: LegalHold) => [
  hold.id,
  hold.kind,
  hold.subject_name ?? hold.subject,
  hold.reason,
  hold.placed_by_name ?? hold.placed_by,
  timeOf(hold.placed_at),
  hold.lifted_at === null ? 'in force' : `lifted ${timeOf(hold.lifted_at)}`,
]

const list = command({
  name: 'holds list',
  summary: 'List legal holds, including lifted ones',
  examples: ['faxdeck holds list'],
  async run(_given, { client, out }) {
    const holds = await client.listHolds({})
    out.answer(holds, () => out.table(['Hold', 'About', 'Which', 'Reason', 'By', 'Since', 'State'], holds.map(rowOf)))
  },
})

const place = command({
  name: 'holds place',
  takes: '<kind> <subject>',
  summary: 'Keep documents from being deleted until the hold is lifted',
  about: `The kind is one of ${holdKinds.join(', ')}; the subject is its id, or the number. Requires an administrator.`,
  options: { reason: option('<text>', 'Why, for the record.') },
  examples: ['faxdeck holds place number +15555550123 --reason "Case 2026-117"'],
  async run({ words: [given = '', subject = ''], options }, { client, out }) {
    const kind = oneOf(holdKinds, given, `The kind is one of ${holdKinds.join(', ')}.`)
    const hold = await client.placeHold({ body: { kind, subject, reason: required(options.reason, 'reason') } })
    out.answer(hold, () => out.line(hold.id))
  },
})

const lift = command({
  name: 'holds lift',
  takes: '<hold>',
  summary: 'Lift a legal hold',
  about: 'Documents that are past their retention period are deleted within the hour.',
  options: { reason: option('<text>', 'Why, for the record.') },
  examples: ['faxdeck holds lift 3f2a9c0b7d5e --reason "The case is closed"'],
  async run({ words: [id = ''], options }, { client, out }) {
    const hold = await client.liftHold({ params: { id }, body: { reason: required(options.reason, 'reason') } })
    out.answer(hold, () => out.line(`Lifted. Retention applies again to ${hold.kind} ${hold.subject}.`))
  },
})

const deletions = command({
  name: 'deletions',
  summary: 'List deleted documents, with the time and the rule',
  about: 'Each line is an entry of the audit trail: faxdeck verify-audit proves that none was changed.',
  examples: ['faxdeck deletions', 'faxdeck deletions --json > deletions.json'],
  async run(_given, { client, out }) {
    const { deletions: first, next } = await client.listDeletions({ query: { limit: 1000 } })
    const all = first
    for (let before = next; before !== null;) {
      const page = await client.listDeletions({ query: { limit: 1000, before } })
      all.push(...page.deletions)
      before = page.next
      out.progress(`${all.length}…`)
    }
    out.answer(all, () =>
      out.table(
        ['Entry', 'Deleted', 'Fax', 'Direction', 'Pages', 'Reason', 'After days', 'Rule', 'SHA-256'],
        all.map(({ seq, at, fax_id: fax, direction, pages, reason, days, rule_group: group, sha256 }) => {
          const rule = days === null ? ['', ''] : [String(days), group ?? 'general']
          return [String(seq), timeOf(at), fax, direction, String(pages ?? ''), reason ?? '', ...rule, sha256 ?? '']
        }),
      ),
    )
  },
})

export const holds = [list, place, lift, deletions]

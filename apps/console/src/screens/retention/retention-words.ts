import type { Deletion, OwnGroup } from '@faxdeck/contract'
import { grouped } from '../../ui/words/figures.ts'

/** "30 days", "forever". */
export function keptFor(days: number): string {
  if (days === 0) return 'forever'
  return days === 1 ? '1 day' : `${grouped(days)} days`
}

/** What a group is called. Rules outlive their group. */
export const groupName = (groups: readonly OwnGroup[], id: string): string =>
  groups.find((group) => group.id === id)?.name ?? `Group ${id}, deleted`

const otherReasons = {
  refused: 'Approval was refused',
  expired: 'Not approved in time',
  duplicate: 'The same fax had already been sent',
  deleted: 'Deleted by a program or person',
} as const

/** Why a document was deleted: "After 30 days, general rule". */
export function whyDeleted({ reason, days, rule_group: group }: Deletion, groups: readonly OwnGroup[]): string {
  if (reason !== null && reason !== 'retention') return otherReasons[reason]
  if (days === null) return 'Not recorded'
  return `After ${keptFor(days)}, ${group === null ? 'general rule' : `rule for ${groupName(groups, group)}`}`
}

/** The screen's own place in the navigation. */
export const place = 'tools/retention'

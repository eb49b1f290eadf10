import type { Group, Person } from '@faxdeck/contract'
import { roleNames, roles } from '@faxdeck/contract/permissions'

export const stateWords = {
  active: { word: 'Active', tone: 'ok' },
  invited: { word: 'Invited', tone: 'info' },
  suspended: { word: 'Suspended', tone: 'plain' },
} as const

/** What an administrator can be asked about a person. */
export type PersonAction = 'edit' | 'role' | 'suspend' | 'reinstate' | 'renew' | 'reset'

export const roleChoices = roleNames.map((value) => ({ value, label: roles[value].label }))

/** Those who add people and are neither a person nor a key of the list. */
const withoutName: Readonly<Record<string, string>> = {
  bootstrap: 'Bootstrap key',
  'single-sign-on': 'Single sign-on',
}

/** Who added a person, in a word. */
export const inviterOf = ({ invited_by: { id, name } }: Person): string => name ?? withoutName[id] ?? id

/** The names of the groups that a person is in. */
export const groupNames = (groups: readonly Group[] | undefined, { id }: Pick<Person, 'id'>): string =>
  (groups ?? [])
    .filter(({ members }) => members.some((member) => member.id === id))
    .map(({ name }) => name)
    .join(', ')

/** Whether every typed word is in the name, the email address, the role, the groups or the state of a person. */
export function isFound(person: Person, typed: string, groups: string): boolean {
  const { name, email, role, state } = person
  const text =
    `${name} ${email} ${roles[role].label} ${stateWords[state].word} ${inviterOf(person)} ${groups}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

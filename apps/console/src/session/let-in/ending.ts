import type { Leavings, LetInWay, Role } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { relativeTime } from '../../ui/time.tsx'

type LetInPerson = Leavings['people'][number]

/** What happens to those whom a key or person let in. */
export interface EndingChoice {
  /** The keys end too. */
  issued: boolean
  /** Ids of the people with whom something is done. */
  people: readonly string[]
  how: 'suspend' | 'demote'
}

export const keepAll: EndingChoice = { issued: false, people: [], how: 'suspend' }

/** A choice as a body names it. */
export function endingOf({ issued, people, how }: EndingChoice) {
  const isAny = people.length > 0
  return {
    issued: issued ? ('revoke' as const) : ('keep' as const),
    people: isAny ? how : ('keep' as const),
    person_ids: isAny ? [...people] : undefined,
  }
}

/** A choice as a query names it. */
export function endingInQuery(choice: EndingChoice) {
  const ending = endingOf(choice)
  return { ...ending, person_ids: ending.person_ids?.join(',') }
}

/** Those who have no name of their own. */
const unnamed: Readonly<Record<string, string>> = { bootstrap: 'the bootstrap key', 'single-sign-on': 'single sign-on' }

const wayWords: Readonly<Record<LetInWay, (role: Role) => string>> = {
  invited: (role) => `Invited as ${roles[role].label}`,
  promoted: (role) => `Made ${roles[role].label}`,
  reinstated: () => 'Reinstated',
  link: () => 'Given a link to choose a password',
  factors_reset: () => 'Second factors reset',
  email: () => 'Given another email address',
}

/** What somebody was given, when, and by whom if it was not the key or person that it is about. */
export function givenInWords({ given }: LetInPerson, start: string): string {
  const sentences = given.map(({ way, role, at, by }) => {
    const who = by.id === start ? '' : ` by ${by.name ?? unnamed[by.id] ?? by.id}`
    return `${wayWords[way](role)} ${relativeTime(at)}${who}.`
  })
  return sentences.join(' ')
}

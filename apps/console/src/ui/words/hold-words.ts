import type { HoldKind, LegalHold } from '@faxdeck/contract'

export const holdKindWords: Readonly<Record<HoldKind, string>> = {
  fax: 'Fax',
  number: 'Number',
  person: 'Person',
  key: 'API key',
  group: 'Group',
}

/** "Fax 6f1c0d2e", "Group Cardiology", "Number +15555550123". */
export function holdSubject({ kind, subject, subject_name: name }: LegalHold): string {
  const shown = kind === 'fax' ? subject.slice(0, 8) : (name ?? subject)
  return `${holdKindWords[kind]} ${shown}`
}

/** What whoever placed or lifted a hold is called. */
export const actorWords = (id: string, name: string | null): string =>
  name ?? (id === 'bootstrap' ? 'the bootstrap key' : `key ${id}`)

/** "placed by Jane Doe". */
export const placedBy = ({ placed_by: id, placed_by_name: name }: LegalHold): string =>
  `placed by ${actorWords(id, name)}`

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

/** The same within a sentence: "number +15555550123". */
export const onSubject = (hold: LegalHold): string =>
  hold.kind === 'key' ? holdSubject(hold) : holdSubject(hold).replace(/^./, (first) => first.toLowerCase())

/** The name of the person or key that placed or lifted a hold. */
export const actorWords = (id: string, name: string | null): string =>
  name ?? (id === 'bootstrap' ? 'Bootstrap key' : `Key ${id}`)

/** "placed by Jane Doe". */
export const placedBy = ({ placed_by: id, placed_by_name: name }: LegalHold): string =>
  `placed by ${name ?? (id === 'bootstrap' ? 'the bootstrap key' : `key ${id}`)}`

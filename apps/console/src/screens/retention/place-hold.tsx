import type { HoldKind } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOwnGroups } from '../../api/groups.ts'
import { usePlaceHold } from '../../api/holds.ts'
import { PlaceHoldDialog } from '../../ui/fax/place-hold-dialog.tsx'
import { SelectField, TextField } from '../../ui/form/fields.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { keysQuery, peopleQuery } from './queries.ts'

const kinds: readonly { value: HoldKind; label: string; keeps: string }[] = [
  { value: 'number', label: 'A number', keeps: 'Every fax sent to this number, received from it or received on it.' },
  { value: 'person', label: 'A person', keeps: 'Everything the person sent, uploaded or submitted for approval.' },
  { value: 'group', label: 'A group', keeps: 'Every fax of the group, sent and received.' },
  { value: 'key', label: 'An API key', keeps: 'Everything sent, uploaded or requested with the key.' },
  { value: 'fax', label: 'One fax', keeps: 'One sent or received fax, or one request waiting for approval.' },
]
const keeps = (kind: HoldKind) => kinds.find(({ value }) => value === kind)?.keeps

interface Subject {
  kind: HoldKind
  subject: string
}

/** Asks what a new hold is about, and places it. */
export function PlaceHold({ onClose }: { onClose: () => void }) {
  const [given, setGiven] = useState<Subject>({ kind: 'number', subject: '' })
  const place = usePlaceHold(onClose)
  const subject = given.subject.trim()
  return (
    <PlaceHoldDialog
      ready={subject !== ''}
      action={place}
      onPlace={(reason) => place.run({ kind: given.kind, subject, reason })}
      onClose={onClose}
    >
      <SelectField
        label="Keep documents of"
        help={keeps(given.kind)}
        choices={kinds}
        value={given.kind}
        onChange={(kind) => setGiven({ kind, subject: '' })}
      />
      <SubjectField given={given} onChange={(next) => setGiven({ ...given, subject: next })} />
    </PlaceHoldDialog>
  )
}

/** Which number, person, group, key or fax. */
function SubjectField({ given: { kind, subject }, onChange }: { given: Subject; onChange: (subject: string) => void }) {
  if (kind === 'number')
    return <TextField label="Number" type="tel" placeholder="+15555550123" value={subject} onChange={onChange} />
  if (kind === 'fax')
    return (
      <TextField
        label="Fax ID"
        help="Shown under Details of the fax. It has 32 letters and digits."
        maxLength={64}
        value={subject}
        onChange={onChange}
      />
    )
  return <ListedSubject key={kind} kind={kind} subject={subject} onChange={onChange} />
}

interface ListedProps {
  kind: 'person' | 'group' | 'key'
  subject: string
  onChange: (subject: string) => void
}

const labels = { person: 'Person', group: 'Group', key: 'API key' } as const

function ListedSubject({ kind, subject, onChange }: ListedProps) {
  const groups = useOwnGroups()
  const people = useQuery({ ...peopleQuery, enabled: kind === 'person' })
  const keys = useQuery({ ...keysQuery, enabled: kind === 'key' })
  const listed = {
    group: groups.map(({ id, name }) => ({ value: id, label: name })),
    person: (people.data ?? []).map(({ id, name, email }) => ({ value: id, label: `${name}, ${email}` })),
    key: [
      { value: 'bootstrap', label: 'The bootstrap key' },
      ...(keys.data ?? []).map(({ key_id: id, name }) => ({ value: id, label: name ?? id })),
    ],
  }[kind]
  const failed = { person: people, key: keys, group: undefined }[kind]
  const none = listed.length === 0 ? 'None' : 'Choose…'
  return (
    <>
      <SelectField
        label={labels[kind]}
        choices={[{ value: '', label: none }, ...listed]}
        value={subject}
        onChange={onChange}
      />
      {failed?.error && <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />}
    </>
  )
}

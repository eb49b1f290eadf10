import type { Person } from '@faxdeck/contract'
import { useState } from 'react'
import { PersonDialog } from './person-dialog.tsx'
import { ReinstateDialog, RenewDialog, ResetDialog } from './person-questions.tsx'
import type { PersonAction } from './person-words.ts'
import type { PersonWithLink } from './queries.ts'
import { RoleDialog } from './role-dialog.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'

interface Props {
  person: Person
  onLink: (made: PersonWithLink) => void
  onClose: () => void
}

/** A person, and the questions that lead on from there; each returns to the person. */
export function PersonDialogs({ person, onLink, onClose }: Props) {
  const [asking, setAsking] = useState<PersonAction>()
  const back = () => setAsking(undefined)
  if (asking === 'role') return <RoleDialog person={person} onClose={back} />
  if (asking === 'suspend') return <SuspendDialog person={person} onClose={back} />
  if (asking === 'reinstate') return <ReinstateDialog person={person} onClose={back} />
  if (asking === 'renew') return <RenewDialog person={person} onLink={onLink} onClose={back} />
  if (asking === 'reset') return <ResetDialog person={person} onClose={back} />
  return <PersonDialog person={person} onAsk={setAsking} onClose={onClose} />
}

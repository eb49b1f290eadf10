import type { Person } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import type { EndingChoice } from '../../session/let-in/ending.ts'
import { LeftBehind } from '../../session/let-in/left-behind.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { leavingsQuery } from './queries.ts'

interface Props {
  person: Person
  choice: EndingChoice
  onChoose: (choice: EndingChoice) => void
}

/** Whom a person let in, and what is taken back when they administer no more. */
export function PersonLeavings({ person, choice, onChoose }: Props) {
  const { data, error, refetch } = useQuery(leavingsQuery(person.id, choice))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <p>Checking what {person.name} set up…</p>
  const words = {
    start: `person:${person.id}`,
    who: person.name,
    holder: 'they',
    oneKey: 'a key',
    manyKeys: 'keys',
    nothing: `${person.name} set up nothing that could let them back in.`,
    keep: 'To keep a setting, first save it again yourself. Their other changes stay.',
  }
  return <LeftBehind leavings={data} subject={words} choice={choice} onChoose={onChoose} />
}

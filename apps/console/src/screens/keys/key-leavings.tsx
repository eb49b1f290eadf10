import type { ApiKey } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import type { EndingChoice } from '../../session/let-in/ending.ts'
import { LeftBehind } from '../../session/let-in/left-behind.tsx'
import { leavingsQuery } from './queries.ts'

interface Props {
  subject: ApiKey
  choice: EndingChoice
  onChoose: (choice: EndingChoice) => void
}

/** Whom a key let in, and what revoking it takes back, so that nobody is surprised by a provider that is no longer set up. */
export function KeyLeavings({ subject, choice, onChoose }: Props) {
  const { data, error, refetch } = useQuery(leavingsQuery(subject, choice))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <p>Checking what was set up with this key…</p>
  const words = {
    start: subject.key_id,
    who: 'This key',
    holder: 'its holder',
    oneKey: 'another key',
    manyKeys: 'other keys',
    nothing: 'Nothing set up with this key could let its holder back in.',
    keep: 'To keep a setting, first save it again with another key. Other changes made with this key stay.',
  }
  return <LeftBehind leavings={data} subject={words} choice={choice} onChoose={onChoose} />
}

import type { CallProblem } from '@faxdeck/contract/client'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconInbox } from '../../ui/control/icons.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import type { InboxFilter } from './queries.ts'

/** An empty inbox, and where to look when it should not be empty. */
export function NoFaxes({ error, onSimulate }: { error: CallProblem | null; onSimulate: () => void }) {
  const { may } = useSession()
  const canTest = may('handle_faxes')
  return (
    <EmptyState
      icon={IconInbox}
      title={error ? 'No faxes to show' : 'No faxes received yet'}
      why={
        error
          ? `The list couldn’t be loaded.${error.status === 403 ? ' Your API key needs the inbound:list and inbound:read scopes.' : ''}`
          : `Faxes appear here as they arrive.${canTest ? ' Create a test fax to check that receiving works.' : ''}`
      }
      next={!error && canTest && <Button onClick={onSimulate}>Create a test fax</Button>}
    />
  )
}

const views = { all: 'received faxes', unread: 'unread faxes', failed: 'failed faxes' } as const

const emptyWords = {
  all: 'This group has received no faxes yet.',
  unread: 'You’re all caught up.',
  failed: 'Every incoming fax was received in full.',
} as const

/** A search or a view that no received fax fits. */
export function NothingFound({ filter: { view, q }, onClear }: { filter: InboxFilter; onClear: () => void }) {
  const searched = `No ${views[view]} contain “${q}”. New faxes become searchable once their text is recognized, usually within a minute.`
  return (
    <EmptyState
      icon={IconInbox}
      title={q === '' ? `No ${views[view]}` : 'No faxes found'}
      why={q === '' ? emptyWords[view] : searched}
      next={<Button onClick={onClear}>{q === '' ? 'Show all faxes' : 'Clear search'}</Button>}
    />
  )
}

/** Receiving is switched off: nothing is wrong, and this is where it is switched on. */
export function ReceivingOff() {
  const { go, canGo } = useSession()
  const settings = 'settings/inbound'
  return (
    <EmptyState
      icon={IconInbox}
      title="Receiving is off"
      why="Faxdeck is set to send only. To receive faxes, turn on receiving under Settings › Inbound Receiving."
      next={
        canGo(settings) && (
          <Button tone="primary" onClick={() => go(settings)}>
            Open Settings
          </Button>
        )
      }
    />
  )
}

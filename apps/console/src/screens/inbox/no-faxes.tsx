import { useSession } from '../../shell/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { IconInbox } from '../../ui/control/icons.ts'

/** An empty inbox, and where to look when it should not be empty. */
export function NoFaxes({ failed, onSimulate }: { failed: boolean; onSimulate: () => void }) {
  return (
    <EmptyState
      icon={IconInbox}
      title={failed ? 'No faxes to show' : 'No faxes received yet'}
      why={
        failed
          ? 'The list couldn’t be loaded. Your API key needs the scopes inbound:list and inbound:read.'
          : 'Faxes appear here as they arrive. Create a test fax to check that receiving works.'
      }
      next={!failed && <Button onClick={onSimulate}>Create a test fax</Button>}
    />
  )
}

/** A search that no received fax fits. */
export function NothingFound({ typed, onClear }: { typed: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={IconInbox}
      title="No faxes found"
      why={`No received faxes contain “${typed}”. New faxes can be searched once their pages are read, usually within a minute.`}
      next={<Button onClick={onClear}>Clear search</Button>}
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
      why="Faxdeck is set to send only. Turn on receiving under Settings, Inbound Receiving."
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

import { Confirm } from '../overlay/dialog.tsx'

/** The provider that sends, and the one that was chosen with Set Active, by the names people know. */
export interface OutboundChange {
  from: string
  to: string
}

interface Props {
  change: OutboundChange
  testLine: boolean
  action?: { busy: boolean; error: Error | null }
  onConfirm: () => void
  onClose: () => void
}

/** Asks before the provider that was chosen with Set Active takes over. */
export function OutboundQuestion({ change: { from, to }, testLine, ...question }: Props) {
  return (
    <Confirm title={`Send through ${to}?`} verb="Apply & Reload" {...question}>
      <p>
        Outbound provider: {from} to {to}, as chosen with Set Active on Plugins. New faxes leave through the account and
        from the number of {to}; faxes in progress finish with {from}.
      </p>
      {testLine && <p>While the test line is on, it still carries every fax.</p>}
    </Confirm>
  )
}

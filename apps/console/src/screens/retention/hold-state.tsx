import type { LegalHold } from '@faxdeck/contract'
import { IconLock } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'

export function HoldState({ hold }: { hold: LegalHold }) {
  return hold.lifted_at === null ? (
    <Chip tone="info" icon={IconLock}>
      Active
    </Chip>
  ) : (
    <Chip tone="plain">Lifted</Chip>
  )
}

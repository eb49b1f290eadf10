import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { configQuery } from '../../api/overview.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice, Note } from '../../ui/layout/states.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { useSession } from '../session.ts'
import styles from './fax-access.module.css'
import { mayBreakGlass, openFax, placeOf, shortestReason } from './open-fax.ts'
import { ReasonField } from './reason-field.tsx'

interface Props {
  id: string
  /** Why the fax is not shown. */
  error: Error & { answer?: { code: string } | undefined }
  busy: boolean
  /** Asks for the fax again, also once it can be read. */
  onRetry: () => void
}

/**
 * Why a fax is not shown. Those who may open faxes of other groups are offered that for every id that is not found, so
 * that the offer does not disclose whether there is such a fax.
 */
export function FaxNotShown({ id, error, busy, onRetry }: Props) {
  const session = useSession()
  const [asking, setAsking] = useState(false)
  // Emergency access may have been turned on since the console was loaded.
  useQuery({ ...configQuery, enabled: session.may('break_glass'), refetchOnMount: 'always' })
  const isOffered = error.answer?.code === 'fax_not_found' && mayBreakGlass(session)
  if (!isOffered) return <ErrorNotice error={error} onRetry={onRetry} busy={busy} />
  const opened = (place: string) => {
    setAsking(false)
    if (place !== session.visit.place) session.go(place, { open: id, replace: true })
    onRetry()
  }
  return (
    <>
      <Note>
        <div className={styles.offer}>
          There is no fax with this ID, or it belongs to another group. In an emergency, you can open another group’s
          fax by giving a reason.
          <Button onClick={() => setAsking(true)}>Open with a reason…</Button>
        </div>
      </Note>
      {asking && <ReasonDialog id={id} onOpened={opened} onClose={() => setAsking(false)} />}
    </>
  )
}

interface DialogProps {
  id: string
  onOpened: (place: string) => void
  onClose: () => void
}

function ReasonDialog({ id, onOpened, onClose }: DialogProps) {
  const { config } = useSession()
  const [reason, setReason] = useState('')
  const open = useAction(openFax, { onDone: ({ direction }) => onOpened(placeOf[direction]) })
  const given = reason.trim()
  return (
    <FormDialog
      title={`Open fax ${id.slice(0, 8)} with a reason`}
      verb="Open fax"
      ready={given.length >= shortestReason}
      action={open}
      onSubmit={() => open.run({ id, reason: given })}
      onClose={onClose}
    >
      <p>
        If this fax exists, you can read it for {config.break_glass_minutes} minutes. Your name and the reason are
        recorded, and everyone who can see the fax can see them. The attempt is recorded even if the fax doesn’t exist.
      </p>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { databaseQuery } from '../../../api/overview.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { persistentDatabase, staleAfterSaving, switchToPersistent, type Saved } from '../queries.ts'
import { PlainCode } from '../../../ui/layout/code-block.tsx'
import styles from '../settings.module.css'

interface Props {
  onSaved: (saved: Saved) => void
}

/** The database as the gateway sees it, and the way to one that outlives a container. */
export function DatabaseTools({ onSaved }: Props) {
  const [asked, setAsked] = useState(false)
  const [switching, setSwitching] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...databaseQuery, enabled: asked })
  const ask = () => (asked ? void refetch({ cancelRefetch: false }) : setAsked(true))
  return (
    <div className={styles.part}>
      <div className={styles.buttons}>
        <Button onClick={() => setSwitching(true)}>Use persistent</Button>
        <Button busy={isFetching} onClick={ask}>
          Check DB Status
        </Button>
      </div>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={ask} />}
      {data && !error && <PlainCode>{JSON.stringify(data, null, 2)}</PlainCode>}
      {switching && <SwitchDialog onSaved={onSaved} onClose={() => setSwitching(false)} />}
    </div>
  )
}

function SwitchDialog({ onSaved, onClose }: Props & { onClose: () => void }) {
  const change = useAction(switchToPersistent, {
    refreshes: staleAfterSaving,
    onDone: ({ _meta: meta }) => {
      onClose()
      onSaved(meta)
    },
  })
  return (
    <Confirm
      title="Use the persistent database?"
      verb="Use persistent"
      action={{ busy: change.busy }}
      onConfirm={() => change.run(undefined)}
      onClose={onClose}
    >
      <p>
        After the next start, Faxdeck stores its records in <code>{persistentDatabase}</code>. That folder must exist
        and be writable, so mount a volume at /faxdata. Faxes and keys in the current database are not copied.
      </p>
      {change.error && <ErrorNotice error={change.error} what="Failed to switch DB" />}
    </Confirm>
  )
}

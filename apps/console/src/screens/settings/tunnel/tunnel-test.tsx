import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { IconAlert, IconCheck } from '../../../ui/control/icons.ts'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { testTunnel } from './queries.ts'
import styles from './tunnel.module.css'

/** Whether the gateway answers under its public address, seen from inside. */
export function TunnelTest() {
  const [seen, setSeen] = useState<Awaited<ReturnType<typeof testTunnel>>>()
  const test = useAction(testTunnel, { onDone: setSeen })
  return (
    <div className={styles.part}>
      <h3>Public address</h3>
      <div className={styles.row}>
        <Button busy={test.busy} onClick={() => test.run(undefined)}>
          Test
        </Button>
        <span role="status" className={styles.row}>
          {seen && !test.busy && (
            <>
              <Chip tone={seen.ok ? 'ok' : 'bad'} icon={seen.ok ? IconCheck : IconAlert}>
                {seen.ok ? 'Reachable' : 'Not reachable'}
              </Chip>
              <span title={seen.target}>{seen.message}</span>
            </>
          )}
        </span>
      </div>
      {test.error && <ErrorNotice error={test.error} />}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { databaseQuery } from '../../api/overview.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PlainCode } from '../../ui/layout/code-block.tsx'
import styles from './diagnostics.module.css'

/** The database as the gateway describes it. */
export function DatabaseStatus() {
  const [asked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...databaseQuery, enabled: asked })
  const ask = () => (asked ? void refetch({ cancelRefetch: false }) : setAsked(true))
  return (
    <Panel aria-label="Database status">
      <h2>Database status</h2>
      <div className={styles.row}>
        <Button busy={isFetching} onClick={ask}>
          Check DB Status
        </Button>
      </div>
      {error && <ErrorNotice error={error} />}
      {data && !error && <PlainCode aria-label="Database status as JSON">{JSON.stringify(data, null, 2)}</PlainCode>}
    </Panel>
  )
}

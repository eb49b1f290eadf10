import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providerName, providersQuery } from '../../api/overview.ts'
import { Button } from '../../ui/control/button.tsx'
import { CallbackRow } from '../../ui/fax/callback-row.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { callbacksQuery } from './queries.ts'
import styles from './scripts.module.css'

/** The addresses that providers must be given, shown when asked for. */
export function CallbackInfo() {
  const [asked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...callbacksQuery, enabled: asked })
  const { data: providers } = useQuery({ ...providersQuery, enabled: asked })
  const ask = () => (asked ? void refetch({ cancelRefetch: false }) : setAsked(true))
  return (
    <Panel aria-label="Callback info">
      <div className={styles.head}>
        <div className={styles.words}>
          <h2>Callback info</h2>
          <p className="quiet">Where the provider notifies Faxdeck of received faxes.</p>
        </div>
        <Button busy={isFetching} onClick={ask}>
          Show
        </Button>
      </div>
      {error && <ErrorNotice error={error} />}
      {data && !error && (
        <ul>
          {data.callbacks.map((callback) => (
            <CallbackRow key={callback.url} callback={callback} />
          ))}
          {data.callbacks.length === 0 && (
            <li>
              {data.backend
                ? `There is nothing to register with ${providerName(data.backend, providers)}.`
                : 'No provider is receiving faxes.'}
            </li>
          )}
        </ul>
      )}
    </Panel>
  )
}

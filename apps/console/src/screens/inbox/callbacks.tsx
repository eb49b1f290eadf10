import type { ReplyOf, Routes } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { providerName, providersQuery } from '../../api/overview.ts'
import { CallbackRow } from '../../ui/fax/callback-row.tsx'
import { useSession } from '../../session/session.ts'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import styles from './callbacks.module.css'
import { callbacksQuery } from './queries.ts'

type Registration = ReplyOf<Routes['listCallbacks']>

function leadOf(registration: Registration | undefined, isTest: boolean, nameOf: (backend: string) => string): string {
  if (!registration) return 'Where the provider notifies Faxdeck of received faxes.'
  const { backend, callbacks } = registration
  if (!backend) return 'No provider is receiving faxes.'
  return callbacks.length === 0
    ? `Receiving through ${nameOf(backend)}; there is nothing to register.`
    : `${isTest ? 'Not needed while the test line is on. For real faxes, register' : 'Register'} these URLs with ${nameOf(backend)} so it can deliver faxes.`
}

/** Where the provider must deliver received faxes, and how it must be configured for it. */
export function Callbacks() {
  const { config } = useSession()
  const { data, error, isFetching, refetch } = useQuery(callbacksQuery)
  const { data: providers } = useQuery(providersQuery)
  return (
    <section className={styles.callbacks} aria-label="Callback URLs">
      <h2>Callback URLs</h2>
      <p className="muted">{leadOf(data, config.test_line, (id) => providerName(id, providers))}</p>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} busy={isFetching} />}
      {!data && !error && <Skeleton lines={2} height={2} />}
      <ul>
        {data?.callbacks.map((callback) => (
          <CallbackRow key={callback.url} callback={callback} />
        ))}
      </ul>
    </section>
  )
}

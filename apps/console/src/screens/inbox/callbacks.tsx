import type { ReplyOf, Routes } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './callbacks.module.css'
import { callbacksQuery } from './queries.ts'

type Callback = ReplyOf<Routes['listCallbacks']>['callbacks'][number]

/** Where the provider must deliver received faxes, and how it must be configured for it. */
export function Callbacks() {
  const { data, error, isFetching, refetch } = useQuery(callbacksQuery)
  return (
    <section className={styles.callbacks} aria-label="Callback URLs">
      <h2>Callback URLs</h2>
      <p className={styles.lead}>
        Register these with your provider: it announces received faxes there.
        {data?.backend && (
          <>
            {' '}
            Receiving through <strong>{data.backend}</strong>.
          </>
        )}
      </p>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} busy={isFetching} />}
      {!data && !error && <Skeleton lines={2} height={2} />}
      {data?.callbacks.length === 0 && <p className={styles.lead}>This provider needs no callback URL.</p>}
      <ul>
        {data?.callbacks.map((callback) => (
          <CallbackRow key={callback.url} callback={callback} />
        ))}
      </ul>
    </section>
  )
}

function CallbackRow({ callback }: { callback: Callback }) {
  const { name, url, notes, header, content_types: types, preferred_content_type: preferred } = callback
  return (
    <li className={styles.callback}>
      <div className={styles.address}>
        <span className={styles.name}>{name}</span>
        <code>{url}</code>
        <CopyButton text={url} what={`callback URL of ${name}`} />
      </div>
      {header && (
        <p>
          Header <code>{header}</code>
        </p>
      )}
      {types && types.length > 0 && (
        <p>
          Content types {types.join(', ')}
          {preferred && `; preferred ${preferred}`}
        </p>
      )}
      {notes && <p>{notes}</p>}
    </li>
  )
}

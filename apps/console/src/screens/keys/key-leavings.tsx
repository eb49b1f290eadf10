import type { ApiKey } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import styles from './keys.module.css'
import { leavingsQuery } from './queries.ts'

/** What revoking a key takes back, so that nobody is surprised by a provider that is no longer set up. */
export function KeyLeavings({ subject, issued }: { subject: ApiKey; issued: boolean }) {
  const { data, error, refetch } = useQuery(leavingsQuery(subject, issued))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <p>Checking what was set up with this key…</p>
  const { settings, plugins, webhooks } = data
  if (settings.length + plugins.length + webhooks.length === 0) {
    return <p>Nothing set up with this key could let its holder back in.</p>
  }
  return (
    <>
      <p className={styles.warning}>Anything set up with this key that could let its holder back in will be undone:</p>
      <ul>
        {settings.length > 0 && (
          <li>Settings reset to their previous or default value: {settings.map(({ label }) => label).join(', ')}</li>
        )}
        {plugins.length > 0 && (
          <li>Plugins removed or rolled back to an earlier version: {plugins.map(({ id }) => id).join(', ')}</li>
        )}
        {webhooks.length > 0 && <li>Webhooks paused: {webhooks.map(({ url }) => url).join(', ')}</li>}
      </ul>
      <p>To keep a setting, first save it again with another key. Other changes made with this key stay.</p>
    </>
  )
}

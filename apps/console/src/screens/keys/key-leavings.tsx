import type { ApiKey } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import styles from './keys.module.css'
import { leavingsQuery } from './queries.ts'

/** What revoking a key takes back, so that nobody is surprised by a provider that is no longer set up. */
export function KeyLeavings({ subject, issued }: { subject: ApiKey; issued: boolean }) {
  const { data, error, refetch } = useQuery(leavingsQuery(subject, issued))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <p>Looking for what it would leave behind…</p>
  const { settings, plugins, webhooks } = data
  if (settings.length + plugins.length + webhooks.length === 0) {
    return <p>It leaves no settings, plugins, or webhooks behind that could let its holder in again.</p>
  }
  return (
    <>
      <p className={styles.warning}>What it set up that could let its holder in again is taken back:</p>
      <ul>
        {settings.length > 0 && (
          <li>
            Settings that return to what others set, or to the default: {settings.map(({ label }) => label).join(', ')}
          </li>
        )}
        {plugins.length > 0 && (
          <li>
            Plugins that are removed, or replaced by what others installed: {plugins.map(({ id }) => id).join(', ')}
          </li>
        )}
        {webhooks.length > 0 && <li>Webhooks that are paused: {webhooks.map(({ url }) => url).join(', ')}</li>}
      </ul>
      <p>To keep a setting, save it again with another key first. Other changes stay.</p>
    </>
  )
}

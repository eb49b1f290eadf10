import type { Person } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import styles from './people.module.css'
import { leavingsQuery } from './queries.ts'

/** What is taken back when somebody administers no more, so that nobody is surprised by a webhook that is paused. */
export function PersonLeavings({ person }: { person: Person }) {
  const { data, error, refetch } = useQuery(leavingsQuery(person.id))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <p>Checking what {person.name} set up…</p>
  const { settings, plugins, webhooks } = data
  if (settings.length + plugins.length + webhooks.length === 0)
    return <p>{person.name} set up nothing that could let them back in.</p>
  return (
    <>
      <p className={styles.warning}>Anything they set up that could let them back in will be undone:</p>
      <ul>
        {settings.length > 0 && (
          <li>Settings reset to their previous or default value: {settings.map(({ label }) => label).join(', ')}</li>
        )}
        {plugins.length > 0 && (
          <li>Plugins removed or rolled back to an earlier version: {plugins.map(({ id }) => id).join(', ')}</li>
        )}
        {webhooks.length > 0 && <li>Webhooks paused: {webhooks.map(({ url }) => url).join(', ')}</li>}
      </ul>
      <p>To keep a setting, first save it again yourself. Their other changes stay.</p>
    </>
  )
}

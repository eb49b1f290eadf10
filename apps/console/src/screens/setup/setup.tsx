import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '../../api/providers.ts'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { settingsQuery } from './queries.ts'
import { Wizard } from './wizard.tsx'

/** The setup: from nothing to a provider that carries faxes, in four steps. */
export function SetupScreen() {
  const settings = useQuery(settingsQuery)
  const providers = useQuery(providersQuery)
  const failed = [settings, providers].filter(({ data, error }) => !data && error)
  const retry = () => failed.forEach(({ refetch }) => void refetch())
  return (
    <>
      <PageHead
        title="Setup"
        purpose="Connect a fax provider in four steps. Nothing changes until you apply it in the last step."
      />
      {failed.map(({ error }) => error && <ErrorNotice key={error.failure} error={error} onRetry={retry} />)}
      {failed.length === 0 && !(settings.data && providers.data) && <Skeleton lines={6} height={2.5} />}
      {settings.data && providers.data && <Wizard settings={settings.data.rows} registry={providers.data.registry} />}
    </>
  )
}

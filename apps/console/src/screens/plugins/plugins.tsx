import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { SearchField } from '../../ui/form/search-field.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { BulkImport } from './bulk-import.tsx'
import { ConfigureDialog } from './configure-dialog.tsx'
import { Discover } from './discover.tsx'
import { ManifestTester } from './manifest-tester.tsx'
import { documoPreview } from './match-plugin.ts'
import { OutboundProviders } from './outbound-providers.tsx'
import styles from './plugins.module.css'
import { PluginsOff } from './plugins-off.tsx'
import { type Plugin, pluginsQuery, registryQuery } from './queries.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { StorageProviders } from './storage-providers.tsx'

const head = {
  title: 'Plugins',
  purpose: 'Fax and storage providers, and services added with a manifest.',
}

/** Providers, storage, and HTTP manifests that become providers. */
export function PluginsScreen() {
  const { config } = useSession()
  if (config.v3_plugins.enabled) return <Plugins />
  return (
    <>
      <PageHead {...head} />
      <PluginsOff />
    </>
  )
}

function Plugins() {
  const [search, setSearch] = useKept('plugins.search', '')
  const [opened, setOpened] = useState<{ plugin: Plugin; to: 'configure' | 'remove' }>()
  const { data, error, refetch } = useQuery(pluginsQuery)
  const { data: registry, error: registryError, refetch: refetchRegistry } = useQuery(registryQuery)
  const refresh = useAction(() => Promise.all([refetch(), refetchRegistry()]))
  const retry = () => refresh.run(undefined)
  const plugins = data && (data.some(({ id }) => id === documoPreview.id) ? data : [...data, documoPreview])
  const configure = (plugin: Plugin) => setOpened({ plugin, to: 'configure' })
  const close = () => setOpened(undefined)
  const actions = (
    <Button busy={refresh.busy} onClick={retry}>
      Refresh
    </Button>
  )
  return (
    <>
      <PageHead {...head} actions={actions} />
      <div className={styles.screen}>
        <div className={styles.search}>
          <SearchField label="Search plugins and the registry" value={search} onChange={setSearch} />
        </div>
        {error && <ErrorNotice error={error} busy={refresh.busy} onRetry={retry} />}
        {!plugins && !error && <Skeleton lines={4} height={5} />}
        {plugins && (
          <>
            <OutboundProviders
              plugins={plugins}
              search={search}
              onConfigure={configure}
              onRemove={(plugin) => setOpened({ plugin, to: 'remove' })}
            />
            <StorageProviders plugins={plugins} search={search} onConfigure={configure} />
          </>
        )}
        {registryError && !error && <ErrorNotice error={registryError} busy={refresh.busy} onRetry={retry} />}
        {registry && plugins && <Discover items={registry} plugins={plugins} search={search} />}
        <ManifestTester />
        <BulkImport />
      </div>
      {opened?.to === 'configure' && <ConfigureDialog plugin={opened.plugin} onClose={close} />}
      {opened?.to === 'remove' && <RemoveDialog plugin={opened.plugin} onClose={close} />}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconAlert } from '../../ui/control/icons.ts'
import { SearchField } from '../../ui/form/fields.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { BulkImport } from './bulk-import.tsx'
import { Discover } from './discover.tsx'
import { ManifestTester } from './manifest-tester.tsx'
import { documoPreview } from './match-plugin.ts'
import { ConfigureDialog, RemoveDialog } from './plugin-dialogs.tsx'
import styles from './plugins.module.css'
import { OutboundProviders, StorageProviders } from './provider-lists.tsx'
import { type Plugin, pluginsQuery, registryQuery } from './queries.ts'

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

const flags = 'settings/settings'

/** Said in place of the screen while plugins are switched off. */
function PluginsOff() {
  const { go, canGo } = useSession()
  return (
    <div className={styles.off} role="alert">
      <IconAlert size="1.125rem" aria-hidden="true" />
      <div>
        <p className={styles.strong}>v3 plugins are disabled</p>
        <p>
          Providers and storage work without plugins. To add a service with a manifest, turn on Plugins under Settings ›
          Feature Flags.
        </p>
      </div>
      {canGo(flags) && <Button onClick={() => go(flags, { open: 'feature_v3_plugins' })}>Open Feature Flags</Button>}
    </div>
  )
}

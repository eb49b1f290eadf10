import { Button } from '../../ui/control/button.tsx'
import { IconCheck } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { matchesPlugin } from './match-plugin.ts'
import { PluginCard } from './plugin-card.tsx'
import styles from './plugins.module.css'
import type { Plugin } from './queries.ts'

interface Props {
  plugins: readonly Plugin[]
  search: string
  onConfigure: (plugin: Plugin) => void
}

/** Where documents can be kept. Which of them is used is chosen under Settings, because documents stay where they are. */
export function StorageProviders({ plugins, search, onConfigure }: Props) {
  const shown = plugins.filter((plugin) => plugin.categories.includes('storage') && matchesPlugin(search, plugin))
  return (
    <section className={styles.section} aria-labelledby="storage-providers">
      <h2 id="storage-providers">Storage Providers</h2>
      {shown.length === 0 && <p className={styles.quiet}>No storage provider matches the search.</p>}
      <ul className={styles.cards}>
        {shown.map((plugin) => (
          <PluginCard
            key={plugin.id}
            plugin={plugin}
            state={
              plugin.enabled && (
                <Chip tone="ok" icon={IconCheck}>
                  Enabled
                </Chip>
              )
            }
            actions={
              <>
                {plugin.configurable && (
                  <Button aria-label={`Configure ${plugin.name}`} onClick={() => onConfigure(plugin)}>
                    Configure
                  </Button>
                )}
                <span className={styles.quiet}>Managed by server</span>
              </>
            }
          />
        ))}
      </ul>
    </section>
  )
}

import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconCheck, IconClock } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { OutboundQuestion } from '../../ui/fax/outbound-question.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { documoPreview, matchesPlugin } from './match-plugin.ts'
import { PluginCard } from './plugin-card.tsx'
import styles from './plugins.module.css'
import { type Plugin, reloadSettings, setActive, touched } from './queries.ts'

interface Props {
  plugins: readonly Plugin[]
  search: string
  onConfigure: (plugin: Plugin) => void
  onRemove: (plugin: Plugin) => void
}

/** Who can send, who does, and who will from the next reload on. */
export function OutboundProviders({ plugins, search, onConfigure, onRemove }: Props) {
  const mark = useAction(setActive, { refreshes: touched, toast: 'Selected in the configuration' })
  const outbound = plugins.filter(({ categories }) => categories.includes('outbound'))
  const shown = outbound.filter((plugin) => matchesPlugin(search, plugin))
  const cardActions = (plugin: Plugin) => (
    <>
      {plugin.configurable && (
        <Button aria-label={`Configure ${plugin.name}`} onClick={() => onConfigure(plugin)}>
          Configure
        </Button>
      )}
      {!plugin.enabled && plugin !== documoPreview && (
        <Button
          aria-label={`Set Active: ${plugin.name}`}
          aria-describedby={plugin.missing === undefined ? undefined : `${plugin.id}-missing`}
          busy={mark.busy}
          disabled={plugin.missing !== undefined && !plugin.active}
          onClick={() => mark.run(plugin.id)}
        >
          Set Active
        </Button>
      )}
      {plugin.source === 'manifest' && !plugin.enabled && !plugin.active && (
        <Button tone="quiet" aria-label={`Remove ${plugin.name}`} onClick={() => onRemove(plugin)}>
          Remove
        </Button>
      )}
    </>
  )
  return (
    <section className={styles.section} aria-labelledby="outbound-providers">
      <h2 id="outbound-providers">Outbound Providers</h2>
      {mark.error && <ErrorNotice error={mark.error} what="Failed to save configuration" />}
      <Pending outbound={outbound} />
      {shown.length === 0 && <p className={styles.quiet}>No outbound provider matches the search.</p>}
      <ul className={styles.cards}>
        {shown.map((plugin) => (
          <PluginCard key={plugin.id} plugin={plugin} state={<State plugin={plugin} />} actions={cardActions(plugin)} />
        ))}
      </ul>
    </section>
  )
}

const notSetUp = <Chip tone="warn">Not set up</Chip>

function State({ plugin }: { plugin: Plugin }) {
  if (plugin === documoPreview) return <Chip tone="info">Preview</Chip>
  if (plugin.enabled && !plugin.active) {
    return (
      <Chip tone="warn" icon={IconClock}>
        Active after reload
      </Chip>
    )
  }
  if (plugin.enabled) {
    return (
      <>
        {plugin.missing !== undefined && notSetUp}
        <Chip tone="ok" icon={IconCheck}>
          Enabled, active
        </Chip>
      </>
    )
  }
  if (plugin.active) return <Chip tone="plain">Active until reload</Chip>
  return plugin.missing === undefined ? <Chip tone="plain">Ready</Chip> : notSetUp
}

/** Set Active is no live change: says so, and offers to make it one, after a question. */
function Pending({ outbound }: { outbound: readonly Plugin[] }) {
  const { config } = useSession()
  const [asked, ask] = useState(false)
  const reload = useAction(reloadSettings, {
    refreshes: [...touched, ['health-status']],
    toast: 'Configuration applied and reloaded',
    onDone: () => ask(false),
  })
  const next = outbound.find(({ enabled, active }) => enabled && !active)
  const now = outbound.find(({ active }) => active)
  if (!next) return null
  return (
    <div className={styles.pending} role="status">
      <p>
        <span className={styles.strong}>{next.name} is selected in the configuration.</span>{' '}
        {now ? `${now.name} stays in use` : 'It is not in use'} until the settings are reloaded or the gateway restarts.
        {config.test_line && ' While the test line is on, it carries every fax.'}
      </p>
      <Button onClick={() => ask(true)}>Apply &amp; Reload</Button>
      {asked && (
        <OutboundQuestion
          change={{ from: now?.name ?? 'none', to: next.name }}
          testLine={config.test_line}
          action={reload}
          onConfirm={() => reload.run(undefined)}
          onClose={() => ask(false)}
        />
      )}
    </div>
  )
}

interface StorageProvidersProps {
  plugins: readonly Plugin[]
  search: string
  onConfigure: (plugin: Plugin) => void
}

/** Where documents can be kept. Which of them is used is chosen under Settings, because documents stay where they are. */
export function StorageProviders({ plugins, search, onConfigure }: StorageProvidersProps) {
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

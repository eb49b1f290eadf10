import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { ConfirmAction } from '../../session/confirm-action.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Switch } from '../../ui/form/fields.tsx'
import { entryFault, patchOf, type SettingEntries, withEntry } from '../../ui/form/setting-entry.ts'
import { SettingField } from '../../ui/form/setting-field.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Dialog, FormDialog } from '../../ui/overlay/dialog.tsx'
import styles from './plugins.module.css'
import { type Plugin, type PluginConfig, pluginConfigQuery, removePlugin, savePlugin, touched } from './queries.ts'

interface Props {
  plugin: Plugin
  onClose: () => void
}

/** The settings of a plugin, and whether it is the one that sends. */
export function ConfigureDialog({ plugin, onClose }: Props) {
  const { data, error, isFetching, refetch } = useQuery(pluginConfigQuery(plugin.id))
  if (data) return <Form plugin={plugin} config={data} onClose={onClose} />
  return (
    <Dialog title={`Configure ${plugin.name}`} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      {error ? (
        <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={4} height={2.5} />
      )}
    </Dialog>
  )
}

/** The change by the names that the plugin gives its settings. */
function settingsOf({ fields }: PluginConfig, entries: SettingEntries): Record<string, unknown> {
  const settings = fields.map(({ setting }) => setting)
  const patch = patchOf(settings, entries)
  return Object.fromEntries(
    fields.filter(({ setting }) => setting.key in patch).map(({ name, setting }) => [name, patch[setting.key]]),
  )
}

function Form({ plugin, config, onClose }: Props & { config: PluginConfig }) {
  const [enabled, setEnabled] = useState(config.enabled)
  const [entries, setEntries] = useState<SettingEntries>({})
  const save = useAction(savePlugin, { refreshes: touched, toast: 'Saved', onDone: onClose })
  const settings = settingsOf(config, entries)
  const isWrong = config.fields.some(({ setting }) => entryFault(setting, entries[setting.key]) !== undefined)
  const isChanged = enabled !== config.enabled || Object.keys(settings).length > 0
  const submit = () =>
    save.run({
      id: plugin.id,
      ...(enabled === config.enabled ? {} : { enabled }),
      ...(Object.keys(settings).length > 0 ? { settings } : {}),
    })
  return (
    <FormDialog
      title={`Configure ${plugin.name}`}
      verb="Save"
      ready={!isWrong && isChanged}
      action={save}
      onSubmit={submit}
      onClose={onClose}
    >
      <EnableSwitch plugin={plugin} checked={enabled} onChange={setEnabled} />
      {config.fields.map(({ name, setting }) => (
        <SettingField
          key={name}
          setting={setting}
          entry={entries[setting.key]}
          wrong={save.error?.answer?.fields?.find(({ field }) => field === `settings.${name}`)?.message}
          onEnter={(entry) => setEntries(withEntry(entries, setting.key, entry))}
        />
      ))}
      {config.fields.length === 0 && <NoFields plugin={plugin} />}
    </FormDialog>
  )
}

interface SwitchProps {
  plugin: Plugin
  checked: boolean
  onChange: (checked: boolean) => void
}

function EnableSwitch({ plugin, checked, onChange }: SwitchProps) {
  const isStorage = plugin.categories.includes('storage')
  const help = isStorage
    ? 'Managed by server: document storage is chosen under Settings.'
    : 'Faxes are sent through the enabled provider. Changes take effect after the next reload or restart.'
  return <Switch label="Enable plugin" help={help} checked={checked} disabled={isStorage} onChange={onChange} />
}

function NoFields({ plugin }: { plugin: Plugin }) {
  const { go, canGo } = useSession()
  const target = 'settings/settings'
  return (
    <div className={styles.noFields}>
      <p className={styles.quiet}>{plugin.name} has no options here. Enter its account details under Settings.</p>
      {canGo(target) && <Button onClick={() => go(target)}>Go to Settings</Button>}
    </div>
  )
}

/** Asks before a manifest and what was entered for it go. */
export function RemoveDialog({ plugin, onClose }: { plugin: Plugin; onClose: () => void }) {
  return (
    <ConfirmAction
      title={`Remove ${plugin.name}?`}
      verb="Remove"
      danger
      perform={removePlugin}
      input={plugin.id}
      refreshes={touched}
      toast="Plugin removed"
      onClose={onClose}
    >
      <p>
        Its manifest, credentials and settings are deleted. This can’t be undone. Faxes sent through it stay in the job
        list.
      </p>
    </ConfirmAction>
  )
}

import { checkE164, type ProviderSettings } from '@faxdeck/provider-kit'
import type { SettingRow } from '@faxdeck/settings'
import type { Manifest } from './manifest.ts'
import type { Context } from './template.ts'

/** Names of settings whose value must not be shown. */
const secretName = /(^|_)(key|secret|token|pass|password)$/
const shownCredentials = new Set(['username'])
const fromName = 'from_number'

const slugOf = (id: string) => `plugin_${id.replaceAll('-', '_')}`
const keyOf = (id: string, name: string) => `${slugOf(id)}_${name}`

const words = (name: string) => name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())

function rowOf(
  manifest: Manifest,
  name: string,
  more: { secret: boolean; label?: string; help: string; default?: string },
): SettingRow {
  const { id } = manifest
  const key = keyOf(id, name)
  return {
    type: more.secret ? 'secret' : 'text',
    provider: id,
    group: 'provider',
    key,
    env: key.toUpperCase(),
    at: `${slugOf(id)}.${name}`,
    label: more.label ?? words(name),
    help: more.help,
    default: more.default ?? null,
    plugin: { id, field: name },
    ...(name === fromName ? { check: checkE164, placeholder: '+15551234567' } : {}),
  }
}

function settingNames({ settings, actions }: Manifest): string[] {
  const used = Object.values(actions).flatMap(({ names }) => names)
  const inTemplates = used.filter((name) => name.startsWith('settings.')).map((name) => name.slice('settings.'.length))
  return [...new Set([...Object.keys(settings), ...inTemplates])]
}

const sentence = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

/** The settings of an installed manifest: its credentials, sealed, and whatever its templates name. */
export function settingsOf(manifest: Manifest): SettingRow[] {
  const { name, credentials, settings } = manifest
  const usesFrom = manifest.actions.send_fax.names.includes('from')
  return [
    ...credentials.map((each) =>
      rowOf(manifest, each, {
        secret: !shownCredentials.has(each),
        help: `A credential of your account with ${name}.`,
      }),
    ),
    ...(usesFrom
      ? [rowOf(manifest, fromName, { secret: false, help: `The number ${name} sends from, in E.164 form.` })]
      : []),
    ...settingNames(manifest).map((each) => {
      const { label, help = `Sent to ${name} as ${each}.`, default: value } = settings[each] ?? {}
      return rowOf(manifest, each, {
        secret: secretName.test(each),
        help: sentence(help),
        ...(label === undefined ? {} : { label }),
        ...(value === undefined ? {} : { default: value }),
      })
    }),
  ]
}

/** Keys of the settings without which the provider cannot be used: all that have no default. */
export const neededOf = (rows: readonly SettingRow[]): string[] =>
  rows.filter((row) => row.default === null).map((row) => row.key)

/** What settings and credentials put into templates. @param valueOf a setting's value by its name in the manifest */
export function settingsContext(manifest: Manifest, valueOf: (name: string) => string): Context {
  const usesFrom = manifest.actions.send_fax.names.includes('from')
  return Object.fromEntries([
    ...manifest.credentials.map((name) => [`creds.${name}`, valueOf(name)]),
    ...settingNames(manifest).map((name) => [`settings.${name}`, valueOf(name)]),
    ...(usesFrom ? [['from', valueOf(fromName)]] : []),
  ]) as Context
}

/** The values in force, by their name in the manifest. */
export function valuesIn(manifest: Manifest, settings: ProviderSettings): (name: string) => string {
  return (name) => {
    const value = settings[keyOf(manifest.id, name)] ?? null
    return value === null ? '' : String(value)
  }
}

import type { DescribedSetting } from '@faxdeck/contract'
import { beneathOf, isReset, type SettingEntry } from '../../ui/form/setting-entry.ts'
import type { Plan } from './plan.ts'

/** One line of the summary before applying. */
export interface Change {
  key: string
  label: string
  from: string
  to: string
}

function shown({ type, choices }: DescribedSetting, value: DescribedSetting['value']): string {
  const choice = choices?.find((each) => each.value === String(value))
  if (choice) return choice.label
  if (value === null || value === '') return 'not set'
  return type === 'switch' ? (value === true ? 'on' : 'off') : String(value)
}

function secretChange({ configured }: DescribedSetting, entry: SettingEntry): { from: string; to: string } {
  const from = configured ? 'configured' : 'not set'
  if (isReset(entry)) return { from, to: 'cleared' }
  return { from, to: configured ? 'replaced' : 'set' }
}

/** What will change, in the words of the settings; of secrets only that they change. */
export function changesOf({ settings, changes }: Plan): Change[] {
  return settings.flatMap((setting) => {
    const entry = changes[setting.key]
    if (entry === undefined) return []
    const { key, label } = setting
    if (setting.type === 'secret') return [{ key, label, ...secretChange(setting, entry) }]
    const value = isReset(entry) ? beneathOf(setting).value : entry
    return [{ key, label, from: shown(setting, setting.value), to: shown(setting, value) }]
  })
}

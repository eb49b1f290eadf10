import type { DescribedSetting } from '@faxdeck/contract'
import { beneathOf, isReset, type SettingEntry } from '../../../ui/form/setting-entry.ts'
import type { Plan } from '../plan.ts'

/** A value as .env files hold it; undefined when no kind of quote can hold it. They know no escapes. */
function quoted(value: string): string | undefined {
  if (value === '' || /^[^\s#'"`\\]+$/.test(value)) return value
  if (value.endsWith('\\')) return undefined
  const quote = ["'", '`', ...(value.includes('\\') ? [] : ['"'])].find((candidate) => !value.includes(candidate))
  return quote === undefined ? undefined : quote + value + quote
}

function lineOf(setting: DescribedSetting, entry: SettingEntry, secrets: boolean): string {
  const { env, type } = setting
  if (type === 'secret' && !secrets && !isReset(entry)) return `# ${env} is entered. Include secrets to see it.`
  const value = isReset(entry) ? beneathOf(setting).value : entry
  // What a cleared secret falls back to is not shown here.
  if (value === null || value === '' || (type === 'secret' && isReset(entry))) return `# ${env} is not set.`
  const text = quoted(String(value))
  return text === undefined
    ? `# ${env} mixes quotes in a way this file can’t represent. Set it in the environment.`
    : `${env}=${text}`
}

const saysSomethingOf = (line: string, env: string) => new RegExp(`^(# )?${env}(=| is )`).test(line)

/**
 * The exported settings with what is entered and not applied yet in its place.
 * @param exported an .env file with the settings in force, a line each
 * @param secrets whether entered secrets are written; otherwise they are only named
 */
export function withChanges(exported: string, { settings, changes }: Plan, secrets: boolean): string {
  const lines = exported.split('\n')
  const added: string[] = []
  for (const setting of settings) {
    const entry = changes[setting.key]
    if (entry === undefined) continue
    const line = lineOf(setting, entry, secrets)
    const at = lines.findIndex((each) => saysSomethingOf(each, setting.env))
    if (at === -1) added.push(line)
    else lines[at] = line
  }
  const more = added.length > 0 ? `\n# entered in the setup\n${added.join('\n')}\n` : ''
  return `${lines.join('\n').trimEnd()}\n${more}`
}

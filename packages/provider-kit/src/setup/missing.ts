import type { SettingRow } from '@faxdeck/settings'
import type { ProviderSettings } from '../provider.ts'

/**
 * Says which needed settings a provider lacks, for Provider.missing.
 * @param name the provider's name, for people
 * @param rows the provider's rows
 * @param needed keys of the rows without which the provider cannot be used
 * @returns a function from the settings in force to one sentence, undefined when nothing is missing
 */
export function missingOf<const Rows extends readonly SettingRow[]>(
  name: string,
  rows: Rows,
  needed: readonly Rows[number]['key'][],
): (settings: ProviderSettings) => string | undefined {
  return (settings) => {
    const lacking = needed
      .filter((key) => settings[key] === undefined || settings[key] === null || settings[key] === '')
      .flatMap((key) => rows.filter((row) => row.key === key))
      .map((row) => `${row.label} (${row.env})`)
    if (lacking.length === 0) return undefined
    const verb = lacking.length === 1 ? 'is' : 'are'
    return `${name} cannot be used yet: ${list(lacking)} ${verb} not set. Set what is missing under Settings, or in the environment.`
  }
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}

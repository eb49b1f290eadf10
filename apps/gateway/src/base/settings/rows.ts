import type { Provider } from '@faxdeck/provider-kit'
import { coreRows, type SettingRow } from '@faxdeck/settings'

/** Every setting of this installation: the core's and those of its providers. */
export function allRows(providers: readonly Provider[]): readonly SettingRow[] {
  // The built-in line is not chosen as a provider; FAX_DISABLED puts it in their place.
  const choices = providers.filter(({ kind }) => kind !== 'builtin').map(({ id, name }) => ({ value: id, label: name }))
  return [...coreRows(choices), ...providers.flatMap((provider) => provider.settings)]
}

import type { DescribedSetting } from '@faxdeck/contract'
import type { SettingEntries } from '../../ui/form/setting-entry.ts'

/** Which settings a person wants to see. */
export interface SettingFilter {
  words: string
  /** Only what is set somewhere, or entered and not yet saved. */
  changedOnly: boolean
}

export const noFilter: SettingFilter = { words: '', changedOnly: false }

export const isFiltered = ({ words, changedOnly }: SettingFilter) => changedOnly || words.trim() !== ''

function textOf({ label, help, env, key, choices = [] }: DescribedSetting): string {
  return [label, help, env, key, ...choices.map((choice) => choice.label)].join(' ').toLowerCase()
}

/** The settings that hold every word, in their order. None of them is folded away: an advanced one was looked for too. */
export function findSettings(
  rows: readonly DescribedSetting[],
  entries: SettingEntries,
  { words, changedOnly }: SettingFilter,
): DescribedSetting[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return rows
    .filter((row) => !changedOnly || row.source !== 'default' || entries[row.key] !== undefined)
    .filter((row) => {
      const text = textOf(row)
      return wanted.every((word) => text.includes(word))
    })
    .map(({ advanced: _, ...row }) => row)
}

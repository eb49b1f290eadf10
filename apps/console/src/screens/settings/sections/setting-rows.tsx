import type { DescribedSetting } from '@faxdeck/contract'
import { memo } from 'react'
import { FoldedSettings } from '../../../ui/form/folded-settings.tsx'
import type { SettingEntry } from '../../../ui/form/setting-entry.ts'
import { SettingField } from '../../../ui/form/setting-field.tsx'
import { DrawSecret } from './draw-secret.tsx'
import { isOfUse, useForm, type Form } from '../form.ts'
import styles from '../settings.module.css'

/** Settings as fields, side by side where there is room; those that are of no use now are left out, rarely changed ones stand folded below. */
export function SettingRows({ rows }: { rows: readonly DescribedSetting[] }) {
  const form = useForm()
  const shown = rows.filter((row) => isOfUse(form, row))
  const fields = (some: readonly DescribedSetting[]) => (
    <div className={styles.rows}>
      {some.map((row) => (
        <Row
          key={row.key}
          row={row}
          entry={form.entries[row.key]}
          wrong={form.refusals[row.key]}
          onEnter={form.enter}
        />
      ))}
    </div>
  )
  const isRefused = ({ key }: DescribedSetting) => form.refusals[key] !== undefined
  return (
    <FoldedSettings settings={shown} entries={form.entries} isRefused={isRefused}>
      {fields}
    </FoldedSettings>
  )
}

interface RowProps {
  row: DescribedSetting
  entry: SettingEntry | undefined
  wrong: string | undefined
  onEnter: Form['enter']
}

/** Drawn anew only when it changes itself: a hundred others stand beside the one that is typed in. */
const Row = memo(function Row({ row, entry, wrong, onEnter }: RowProps) {
  return (
    <SettingField setting={row} entry={entry} wrong={wrong} onEnter={(next) => onEnter(row.key, next)}>
      {row.drawn && !row.fixed && <DrawSecret setting={row} />}
    </SettingField>
  )
})

import type { DescribedSetting } from '@faxdeck/contract'
import { SettingField } from '../../ui/setting-field.tsx'
import { DrawSecret } from './draw-secret.tsx'
import { isOfUse, useForm } from './form.ts'
import styles from './settings.module.css'

/** Settings as fields, side by side where there is room; those that are of no use now are left out. */
export function SettingRows({ rows }: { rows: readonly DescribedSetting[] }) {
  const form = useForm()
  const shown = rows.filter((row) => isOfUse(form, row))
  return (
    <div className={styles.rows}>
      {shown.map((row) => (
        <SettingField
          key={row.key}
          setting={row}
          entry={form.entries[row.key]}
          wrong={form.refusals[row.key]}
          onEnter={(entry) => form.enter(row.key, entry)}
        >
          {row.drawn && !row.fixed && <DrawSecret setting={row} />}
        </SettingField>
      ))}
    </div>
  )
}

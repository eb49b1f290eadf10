import type { DescribedSetting } from '@faxdeck/contract'
import { memo, useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { FoldedSettings } from '../../../ui/form/folded-settings.tsx'
import type { SettingEntry } from '../../../ui/form/setting-entry.ts'
import { SettingField } from '../../../ui/form/setting-field.tsx'
import { ErrorNotice } from '../../../ui/layout/states.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { IssuedDialog } from '../../../ui/overlay/issued-dialog.tsx'
import { type Form, isOfUse, useForm } from '../form.ts'
import { drawSecret, staleAfterSaving } from '../queries.ts'
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

/** Draws a secret of our own at random, saves it at once and shows it this once. */
function DrawSecret({ setting }: { setting: DescribedSetting }) {
  const { enter } = useForm()
  const [asking, setAsking] = useState(false)
  const [drawn, setDrawn] = useState<string>()
  const draw = useAction(() => drawSecret(setting.key), {
    refreshes: staleAfterSaving,
    onDone: (secret) => {
      setAsking(false)
      enter(setting.key, undefined)
      setDrawn(secret)
    },
  })
  const start = () => (setting.configured ? setAsking(true) : draw.run(undefined))
  const close = () => {
    setAsking(false)
    draw.reset()
  }
  return (
    <div className={styles.tools}>
      <Button busy={draw.busy} onClick={start} aria-label={`Generate ${setting.label}`}>
        Generate
      </Button>
      {draw.error && !asking && <ErrorNotice error={draw.error} what="Failed to generate secret" />}
      {asking && (
        <Confirm
          title={`Replace “${setting.label}”?`}
          verb="Replace"
          danger
          action={{ busy: draw.busy }}
          onConfirm={() => draw.run(undefined)}
          onClose={close}
        >
          <p>
            The current secret stops working immediately. Anything that uses it is refused until you give it the new
            secret.
          </p>
          {draw.error && <ErrorNotice error={draw.error} what="Failed to generate secret" />}
        </Confirm>
      )}
      {drawn !== undefined && (
        <IssuedDialog
          title={setting.label}
          value={drawn}
          copy="Copy secret"
          lead="The new secret is saved and in use. Copy it now. It won’t be shown again."
          onDone={() => setDrawn(undefined)}
        />
      )}
    </div>
  )
}

import type { Unreadable } from '@faxdeck/contract'
import { Checkbox } from '../../../ui/form/switch.tsx'
import { isSplit, mayBeSplit, type Draft } from '../draft.ts'
import { SplitPlan } from './split-plan.tsx'
import styles from './split.module.css'

interface Props {
  draft: Draft
  country: string
  onSplit: (wanted: boolean) => void
  onChoose: (unreadable: Unreadable) => void
}

/** Whether a scan is several faxes, which they are, and the sheets that stand between them. */
export function SplitChoice({ draft, country, onSplit, onChoose }: Props) {
  if (!mayBeSplit(draft)) return null
  return (
    <div className={styles.choice}>
      <Checkbox
        label="Split at separator sheets"
        help="One scan becomes several faxes, each to the number on its sheet."
        checked={draft.split}
        onChange={onSplit}
      />
      {isSplit(draft) && <SplitPlan draft={draft} country={country} onChoose={onChoose} />}
    </div>
  )
}

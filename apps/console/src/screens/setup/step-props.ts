import type { SettingEntry } from '../../ui/form/setting-entry.ts'
import type { Plan, SetupDraft } from './plan.ts'

/** What every step is given. */
export interface StepProps {
  plan: Plan
  draft: SetupDraft
  change: (next: (draft: SetupDraft) => SetupDraft) => void
  /** Notes what was entered for a setting; undefined forgets it. */
  enter: (key: string, entry: SettingEntry | undefined) => void
}

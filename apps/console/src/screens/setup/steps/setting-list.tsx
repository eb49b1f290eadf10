import type { DescribedSetting } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import { FoldedSettings } from '../../../ui/form/folded-settings.tsx'
import { SettingField } from '../../../ui/form/setting-field.tsx'
import styles from '../setup.module.css'
import type { StepProps } from '../step-props.ts'

interface Props extends Pick<StepProps, 'plan' | 'enter'> {
  settings: readonly DescribedSetting[]
  /** A refusal that may name some of them. */
  refusal?: CallProblem | null
}

/** Settings as fields, side by side where there is room; those that are rarely changed stand folded below. */
export function SettingList({ plan, enter, settings, refusal }: Props) {
  const faults = refusal?.answer?.fields ?? []
  const faultOf = ({ key }: DescribedSetting) => faults.find(({ field }) => field === key)?.message
  const fields = (some: readonly DescribedSetting[]) => (
    <div className={styles.settings}>
      {some.map((setting) => (
        <SettingField
          key={setting.key}
          setting={setting}
          entry={plan.changes[setting.key]}
          wrong={faultOf(setting)}
          onEnter={(entry) => enter(setting.key, entry)}
        />
      ))}
    </div>
  )
  const isRefused = (setting: DescribedSetting) => faultOf(setting) !== undefined
  return (
    <FoldedSettings settings={settings} entries={plan.changes} isRefused={isRefused}>
      {fields}
    </FoldedSettings>
  )
}

/** The settings of these keys, in this order; one that the gateway does not have is left out. */
export const settingsOf = ({ plan }: Pick<StepProps, 'plan'>, ...keys: readonly string[]): DescribedSetting[] =>
  keys.flatMap((key) => plan.settings.find((setting) => setting.key === key) ?? [])

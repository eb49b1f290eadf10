import type { DescribedSetting } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import { SettingField } from '../../ui/form/setting-field.tsx'
import styles from './setup.module.css'
import type { StepProps } from './step-props.ts'

interface Props extends Pick<StepProps, 'plan' | 'enter'> {
  settings: readonly DescribedSetting[]
  /** A refusal that may name some of them. */
  refusal?: CallProblem | null
}

/** Settings as fields, side by side where there is room. */
export function SettingList({ plan, enter, settings, refusal }: Props) {
  const faults = refusal?.answer?.fields ?? []
  return (
    <div className={styles.settings}>
      {settings.map((setting) => (
        <SettingField
          key={setting.key}
          setting={setting}
          entry={plan.changes[setting.key]}
          wrong={faults.find(({ field }) => field === setting.key)?.message}
          onEnter={(entry) => enter(setting.key, entry)}
        />
      ))}
    </div>
  )
}

/** The settings of these keys, in this order; one that the gateway does not have is left out. */
export const settingsOf = ({ plan }: Pick<StepProps, 'plan'>, ...keys: readonly string[]): DescribedSetting[] =>
  keys.flatMap((key) => plan.settings.find((setting) => setting.key === key) ?? [])

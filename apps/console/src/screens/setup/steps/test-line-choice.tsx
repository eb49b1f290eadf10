import { normalizedEntry } from '../../../ui/form/setting-entry.ts'
import { plannedValue } from '../plan.ts'
import { settingsOf } from './setting-list.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import styles from '../setup.module.css'
import type { StepProps } from '../step-props.ts'

/** Whether faxes leave this machine once the settings are applied. */
export function TestLineChoice({ plan, enter }: Pick<StepProps, 'plan' | 'enter'>) {
  const [setting] = settingsOf({ plan }, 'fax_disabled')
  if (!setting) return null
  const keeps = plannedValue(plan, plan.changes, setting.key) === true
  const name = plan.outbound?.name ?? 'the provider'
  const options = [
    {
      value: true,
      title: 'Keep the test line',
      what: 'Nothing leaves this machine. Simulated faxes show how everything works.',
    },
    { value: false, title: `Send through ${name}`, what: 'Faxes are real calls to real fax machines.' },
  ]
  return (
    <Panel aria-label="Test line">
      <fieldset className={styles.options}>
        <legend>Where faxes go</legend>
        {options.map(({ value, title, what }) => (
          <label key={title} className={styles.option} data-chosen={keeps === value || undefined}>
            <input
              type="radio"
              name="test-line"
              checked={keeps === value}
              onChange={() => enter(setting.key, normalizedEntry(setting, value))}
            />
            <span className={styles.words}>
              <span className={styles.title}>{title}</span>
              <span className={styles.quiet}>{what}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Panel>
  )
}

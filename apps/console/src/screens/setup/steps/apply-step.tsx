import { normalizedEntry } from '../../../ui/form/setting-entry.ts'
import { Panel } from '../../../ui/layout/card.tsx'
import { HttpsNote } from '../../../ui/layout/https-note.tsx'
import { ApplyPanel } from '../apply/apply-panel.tsx'
import { EnvPanel } from '../apply/env-panel.tsx'
import { LineTestPanel } from '../apply/line-test-panel.tsx'
import { RegisterPanel } from '../apply/register-panel.tsx'
import { TestPagePanel } from '../apply/test-page-panel.tsx'
import { changesOf } from '../draft-changes.ts'
import { httpsFacts, type Plan, plannedValue } from '../plan.ts'
import styles from '../setup.module.css'
import type { StepProps } from '../step-props.ts'
import { SettingList, settingsOf } from './setting-list.tsx'

/** Step 4: what will change, putting it in force, and what may be done with it. */
export function ApplyStep({ plan, change, enter }: StepProps) {
  return (
    <>
      <Summary plan={plan} />
      <TestLineChoice plan={plan} enter={enter} />
      <Sender plan={plan} enter={enter} />
      <ApplyPanel plan={plan} change={change} />
      {plan.outbound?.traits.supports_oauth && <RegisterPanel provider={plan.outbound} plan={plan} />}
      {plan.outbound?.kind === 'managed' && <LineTestPanel plan={plan} />}
      <TestPagePanel plan={plan} />
      <EnvPanel plan={plan} />
    </>
  )
}

function Summary({ plan }: { plan: Plan }) {
  const changes = changesOf(plan)
  return (
    <Panel aria-label="What will change">
      <h3>What will change</h3>
      {changes.length === 0 ? (
        <p className={styles.quiet}>No changes: this is the current configuration.</p>
      ) : (
        <dl className={styles.changes}>
          {changes.map(({ key, label, from, to }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd>
                <del>{from}</del> <span aria-hidden="true">→</span> <ins>{to}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <HttpsNote facts={httpsFacts(plan)} />
    </Panel>
  )
}

/** Asks for what the header line and cover pages lack. */
function Sender({ plan, enter }: Pick<StepProps, 'plan' | 'enter'>) {
  const missing = settingsOf({ plan }, 'fax_header', 'fax_header_number').filter(({ value }) => !value)
  if (missing.length === 0) return null
  return (
    <Panel aria-label="Sender">
      <h3>Who sends your faxes</h3>
      <p className={styles.quiet}>Many countries require the name and the fax number of the sender on each fax.</p>
      <SettingList plan={plan} enter={enter} settings={missing} />
    </Panel>
  )
}

/** Whether faxes leave this machine once the settings are applied. */
function TestLineChoice({ plan, enter }: Pick<StepProps, 'plan' | 'enter'>) {
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

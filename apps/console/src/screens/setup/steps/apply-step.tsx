import { ApplyPanel } from '../apply/apply-panel.tsx'
import { changesOf } from '../draft-changes.ts'
import { EnvPanel } from '../apply/env-panel.tsx'
import { HttpsNote } from '../../../ui/layout/https-note.tsx'
import { httpsFacts } from './https-facts.ts'
import { LineTestPanel } from '../apply/line-test-panel.tsx'
import type { Plan } from '../plan.ts'
import { RegisterPanel } from '../apply/register-panel.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import styles from '../setup.module.css'
import type { StepProps } from '../step-props.ts'
import { TestLineChoice } from './test-line-choice.tsx'
import { TestPagePanel } from '../apply/test-page-panel.tsx'

/** Step 4: what will change, putting it in force, and what may be done with it. */
export function ApplyStep({ plan, change, enter }: StepProps) {
  return (
    <>
      <Summary plan={plan} />
      <TestLineChoice plan={plan} enter={enter} />
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

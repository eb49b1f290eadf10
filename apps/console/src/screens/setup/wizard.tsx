import type { DescribedSetting } from '@faxdeck/contract'
import { useEffect, useRef } from 'react'
import { LeaveQuestion } from '../../session/leave-question.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { ApplyStep } from './steps/apply-step.tsx'
import { ChooseStep } from './steps/choose-step.tsx'
import { CredentialsStep } from './steps/credentials-step.tsx'
import { freshDraft, planOf, type Registry } from './plan.ts'
import { useSetupDraft } from './queries.ts'
import { SecurityStep } from './steps/security-step.tsx'
import styles from './setup.module.css'
import { StepList } from './steps/step-list.tsx'
import type { StepProps } from './steps/step-props.ts'

const steps = [
  { title: 'Choose Providers', Part: ChooseStep },
  { title: 'Configure Credentials', Part: CredentialsStep },
  { title: 'Security Settings', Part: SecurityStep },
  { title: 'Apply & Export', Part: ApplyStep },
] as const
const last = steps.length - 1

interface Props {
  settings: readonly DescribedSetting[]
  registry: Registry
}

/** The four steps, one at a time, and the ways between them. */
export function Wizard({ settings, registry }: Props) {
  const { go } = useSession()
  const [draft, change] = useSetupDraft()
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(draft.step)
  const plan = planOf(draft, settings, registry)
  const pending = Object.keys(plan.changes).length
  const { title, Part } = steps[draft.step] ?? steps[0]

  useEffect(() => {
    if (shown.current !== draft.step) heading.current?.focus()
    shown.current = draft.step
  }, [draft.step])

  const goTo = (step: number) => change((present) => ({ ...present, step }))
  const enter: StepProps['enter'] = (key, entry) =>
    change((present) => {
      const { [key]: _, ...others } = present.entries
      return { ...present, entries: entry === undefined ? others : { ...others, [key]: entry } }
    })
  const finish = () => {
    change(() => freshDraft)
    go('dashboard')
  }
  return (
    <div className={styles.wizard}>
      <StepList titles={steps.map((step) => step.title)} current={draft.step} onGo={goTo} />
      <section className={styles.step} aria-labelledby="setup-step">
        <h2 id="setup-step" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Part plan={plan} draft={draft} change={change} enter={enter} />
      </section>
      <div className={styles.ways}>
        <Button disabled={draft.step === 0} onClick={() => goTo(draft.step - 1)}>
          Back
        </Button>
        {pending > 0 && <Pending count={pending} isLast={draft.step === last} />}
        {draft.step === last ? (
          <Button disabled={pending > 0} onClick={finish}>
            Finish
          </Button>
        ) : (
          <Button tone="primary" onClick={() => goTo(draft.step + 1)}>
            Next
          </Button>
        )}
      </div>
      <LeaveQuestion when={pending > 0} title="Leave setup?">
        Your changes are not applied yet. They stay here until you log out or reload the page.
      </LeaveQuestion>
    </div>
  )
}

function Pending({ count, isLast }: { count: number; isLast: boolean }) {
  const [words, them] = count === 1 ? ['One change is', 'it'] : [`${count} changes are`, 'them']
  return (
    <p className={styles.quiet}>
      {words} not applied yet.{isLast && ` Apply & Reload puts ${them} into effect.`}
    </p>
  )
}

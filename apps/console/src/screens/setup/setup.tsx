import type { DescribedSetting } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { providersQuery } from '../../api/overview.ts'
import { LeaveQuestion } from '../../session/leave-question.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconCheck } from '../../ui/control/icons.ts'
import { withEntry } from '../../ui/form/setting-entry.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { freshDraft, planOf, type Registry } from './plan.ts'
import { settingsQuery, useSetupDraft } from './queries.ts'
import styles from './setup.module.css'
import type { StepProps } from './step-props.ts'
import { ApplyStep } from './steps/apply-step.tsx'
import { ChooseStep } from './steps/choose-step.tsx'
import { CredentialsStep, SecurityStep } from './steps/credentials-step.tsx'

/** The setup: from nothing to a provider that carries faxes, in four steps. */
export function SetupScreen() {
  const settings = useQuery(settingsQuery)
  const providers = useQuery(providersQuery)
  const failed = [settings, providers].filter(({ data, error }) => !data && error)
  const retry = () => failed.forEach(({ refetch }) => void refetch())
  return (
    <>
      <PageHead
        title="Setup"
        purpose="Connect a fax provider in four steps. Nothing changes until you apply it in the last step."
      />
      {failed.map(({ error }) => error && <ErrorNotice key={error.failure} error={error} onRetry={retry} />)}
      {failed.length === 0 && !(settings.data && providers.data) && <Skeleton lines={6} height={2.5} />}
      {settings.data && providers.data && <Wizard settings={settings.data.rows} registry={providers.data.registry} />}
    </>
  )
}

const steps = [
  { title: 'Choose Providers', Part: ChooseStep },
  { title: 'Configure Credentials', Part: CredentialsStep },
  { title: 'Security Settings', Part: SecurityStep },
  { title: 'Apply & Export', Part: ApplyStep },
] as const
const last = steps.length - 1

/** The four steps, one at a time, and the ways between them. */
function Wizard({ settings, registry }: { settings: readonly DescribedSetting[]; registry: Registry }) {
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
    change((present) => ({ ...present, entries: withEntry(present.entries, key, entry) }))
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

interface StepListProps {
  titles: readonly string[]
  current: number
  onGo: (step: number) => void
}

/** Where a person is among the steps, and a way to each. */
function StepList({ titles, current, onGo }: StepListProps) {
  return (
    <nav className={styles.steps} aria-label="Steps">
      <ol>
        {titles.map((title, index) => (
          <li key={title}>
            <button
              type="button"
              aria-current={index === current ? 'step' : undefined}
              data-done={index < current || undefined}
              onClick={() => onGo(index)}
            >
              <span className={styles.number}>
                {index < current ? <IconCheck size="0.875rem" stroke={2.5} aria-hidden="true" /> : index + 1}
              </span>
              <span className={styles.name}>{title}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

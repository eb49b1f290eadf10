import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { useSession } from '../../../session/session.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Panel } from '../../../ui/layout/card.tsx'
import { ErrorNotice, Note } from '../../../ui/layout/states.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { accountsOf, type Plan, settleDraft } from '../plan.ts'
import { type Applied, apply } from '../queries.ts'
import styles from '../setup.module.css'
import type { StepProps } from '../step-props.ts'
import { allPassed, useValidation, ValidateButton, ValidationOutcome } from './validation.tsx'

const leavesAfter = 500
/** The provider, access, receiving: nearly every answer may be another one now. */
const refreshes = [['config'], ['settings'], ['providers'], ['health-status'], ['activity'], ['inbox']]

/** Saves, reloads and tries again, and leaves for the dashboard when all of that worked. */
function useApply(plan: Plan, change: StepProps['change']) {
  const { go } = useSession()
  const say = useToast()
  const queries = useQueryClient()
  const [saved, setSaved] = useState(false)
  const [applied, setApplied] = useState<Applied>()
  const run = useAction(apply, { onDone: setApplied, refreshes })
  const leave = useEffectEvent((done: Applied) => {
    if (done.restart) say('A restart is recommended to apply everything')
    go('dashboard', { open: allPassed(done.checked) ? 'applied' : 'applied-review' })
  })
  useEffect(() => {
    if (!applied) return
    const timer = setTimeout(() => leave(applied), leavesAfter)
    return () => clearTimeout(timer)
  }, [applied])

  const onSaved = () => {
    setSaved(true)
    change((draft) => settleDraft(draft, plan))
    void queries.invalidateQueries({ queryKey: ['settings'] })
  }
  const start = () => {
    setSaved(false)
    run.run({ plan, providers: accountsOf(plan).map(({ id }) => id), onSaved })
  }
  return { start, busy: run.busy || applied !== undefined, error: run.error, saved, applied }
}

/** The two ways to go on: try what is entered, or put it in force. */
export function ApplyPanel({ plan, change }: Pick<StepProps, 'plan' | 'change'>) {
  const validation = useValidation(plan, accountsOf(plan))
  const { start, busy, error, saved, applied } = useApply(plan, change)
  return (
    <Panel aria-label="Apply">
      <h3>Apply</h3>
      <div className={styles.row}>
        <ValidateButton validation={validation}>Validate Configuration</ValidateButton>
        <Button tone="primary" busy={busy} onClick={start}>
          Apply & Reload
        </Button>
        <p className={styles.quiet}>Validating saves nothing. Applying takes effect immediately for new faxes.</p>
      </div>
      <ValidationOutcome validation={validation} registry={plan.registry} />
      {error && (
        <>
          {saved && <Note tone="warn">The settings are saved and in use, but a later step failed.</Note>}
          <ErrorNotice what={saved ? undefined : 'Apply failed'} error={error} />
        </>
      )}
      <div role="status">{applied && <Note tone="ok">Configuration applied and reloaded</Note>}</div>
    </Panel>
  )
}

import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { IconButton } from '../../ui/control/button.tsx'
import { IconAlert, IconCheck, IconX } from '../../ui/control/icons.ts'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { useWide } from '../../ui/layout/use-media.ts'
import { grouped } from '../../ui/words/figures.ts'
import styles from './logs.module.css'
import { verifyChain } from './queries.ts'

type Verdict = Awaited<ReturnType<typeof verifyChain>>

const entries = (count: number) => `${grouped(count)} ${count === 1 ? 'entry' : 'entries'}`

function sentenceOf({ intact, checked, broken_at: broken }: Verdict): string {
  if (intact)
    return `${entries(checked)} checked. The audit chain is intact: no entries were altered, removed or added.`
  return `The audit chain breaks at entry ${grouped(broken ?? checked + 1)}. Verified before it: ${entries(checked)}. From there on, entries were altered, removed or added. Keep the database as it is, and find out who could write to it.`
}

/** Recomputes the chain when asked; `answer` is where it says what it found. */
export function useChainCheck() {
  const [verdict, setVerdict] = useState<Verdict>()
  const check = useAction(verifyChain, { onDone: setVerdict })
  const wide = useWide()
  const Shape = verdict?.intact ? IconCheck : IconAlert
  const answer = (
    <div role="status" className={styles.verdictPlace}>
      {check.busy && !wide && <p className="muted">Checking the audit chain…</p>}
      {check.error && <ErrorNotice error={check.error} />}
      {verdict && !check.error && (
        <div className={styles.verdict} data-intact={verdict.intact}>
          <Shape size="1.125rem" aria-hidden="true" />
          <p>{sentenceOf(verdict)}</p>
          <IconButton icon={IconX} label="Dismiss" align="end" onClick={() => setVerdict(undefined)} />
        </div>
      )}
    </div>
  )
  return { check, answer }
}

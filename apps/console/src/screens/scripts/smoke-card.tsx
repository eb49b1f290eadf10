import { useEffect } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { IconX } from '../../ui/control/icons.ts'
import { OutputViewer } from './output-viewer.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import styles from './scripts.module.css'
import { type Smoke, SmokeProblem } from './smoke.ts'
import { useSmoke } from './use-smoke.ts'

interface Props {
  title: string
  about: string
  /** What is said when a call fails, and when all calls went well but their answers did not fit. */
  failure: { refused: string; unfit: string }
  smoke: Smoke
  /** Whether something else runs: one thing runs at a time. */
  blocked: boolean
  onRunning: (running: boolean) => void
}

/** One test with its button and what it says. */
export function SmokeCard({ title, about, failure, smoke, blocked, onRunning }: Props) {
  const { lines, run, busy, error } = useSmoke(smoke)
  useEffect(() => onRunning(busy), [busy, onRunning])
  return (
    <Panel aria-label={title}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2>{title}</h2>
          <p className="quiet">{about}</p>
        </div>
        <Button busy={busy} disabled={blocked} onClick={run} aria-label={`Run ${title}`}>
          Run
        </Button>
      </div>
      {error && !busy && <Failure what={failure} error={error} />}
      {lines.length > 0 && <OutputViewer label={`Output of ${title}`} lines={lines} />}
    </Panel>
  )
}

function Failure({ what, error }: { what: Props['failure']; error: Error }) {
  if (!(error instanceof SmokeProblem)) return <ErrorNotice what={what.refused} error={error} />
  return (
    <div role="alert" className={styles.failed}>
      <IconX size="1.125rem" aria-hidden="true" />
      <p>
        <strong>{what.unfit}</strong> {error.message}
      </p>
    </div>
  )
}

import { useEffect, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconX } from '../../ui/control/icons.ts'
import { Panel } from '../../ui/layout/card.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { OutputViewer } from './output-viewer.tsx'
import styles from './scripts.module.css'
import { type Smoke, SmokeProblem } from './smokes.ts'

const clock = () => new Date().toTimeString().slice(0, 8)

/** Runs a test and keeps what it says. */
function useSmoke(smoke: Smoke) {
  const [lines, setLines] = useState<readonly string[]>([])
  const say = (line: string) => setLines((before) => [...before, `${clock()}  ${line}`])
  const { run, busy, error } = useAction(
    async () => {
      setLines([])
      await smoke(say)
      say('PASS')
    },
    { refreshes: [['jobs', 'newest'], ['api-keys'], ['health-status']] },
  )
  return { lines, run: () => run(undefined), busy, error }
}

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

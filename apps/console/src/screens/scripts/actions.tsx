import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconAlert, IconCheck } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { OutputViewer } from './output-viewer.tsx'
import { actionsQuery, runAction } from './queries.ts'
import styles from './scripts.module.css'

interface Props {
  /** Whether something else runs: one thing runs at a time. */
  blocked: boolean
  onRunning: (running: boolean) => void
}

/** The fixed commands of the gateway, each with a button. */
export function Actions({ blocked, onRunning }: Props) {
  const { data, error, isFetching, refetch } = useQuery(actionsQuery)
  const [chosen, setChosen] = useState<string>()
  const [result, setResult] = useState<Result>()
  const run = useAction(runAction, { onDone: setResult })
  useEffect(() => onRunning(run.busy), [run.busy, onRunning])
  const start = (id: string) => {
    setChosen(id)
    setResult(undefined)
    run.run(id)
  }
  return (
    <Panel aria-label="Actions">
      <div className={styles.words}>
        <h2>Actions</h2>
        <p className="quiet">
          Fixed commands that inspect the gateway’s machine. They run one at a time, for up to 10 seconds each.
        </p>
      </div>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} height={2.5} />}
      {data && !data.enabled && <ActionsOff />}
      {data && (
        <ul className={styles.actions}>
          {data.items.map(({ id, label, about }) => (
            <li key={id}>
              <div className={styles.words}>
                <p>{label}</p>
                <p className="quiet">{about}</p>
              </div>
              <Button
                busy={run.busy && chosen === id}
                disabled={!data.enabled || blocked || (run.busy && chosen !== id)}
                aria-label={`Run ${label}`}
                onClick={() => start(id)}
              >
                Run
              </Button>
            </li>
          ))}
        </ul>
      )}
      {run.error && <ErrorNotice error={run.error} />}
      {result && (
        <ActionResult result={result} name={data?.items.find(({ id }) => id === result.id)?.label ?? result.id} />
      )}
    </Panel>
  )
}

type Result = Awaited<ReturnType<typeof runAction>>

function ActionsOff() {
  const { go, canGo } = useSession()
  const settings = 'settings/settings'
  return (
    <div className={styles.off}>
      <p>
        Actions are off. Turn on <strong>Actions</strong> under Settings › Feature Flags, or set{' '}
        <code>ENABLE_ADMIN_EXEC=true</code>.
      </p>
      {canGo(settings) && <Button onClick={() => go(settings, { open: 'enable_admin_exec' })}>Go to Settings</Button>}
    </div>
  )
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

function ActionResult({ result: { ok, code, stdout, stderr }, name }: { result: Result; name: string }) {
  return (
    <div className={styles.result}>
      <p role="status" className={styles.head}>
        <span>{name}</span>
        <Chip tone={ok ? 'ok' : 'bad'} icon={ok ? IconCheck : IconAlert}>
          {ok ? 'Done' : `Failed, code ${code}`}
        </Chip>
      </p>
      {(stdout !== '' || stderr === '') && <OutputViewer label={`Output of ${name}`} lines={linesOf(stdout)} />}
      {stderr !== '' && <OutputViewer label={`Errors of ${name}`} lines={linesOf(stderr)} />}
    </div>
  )
}

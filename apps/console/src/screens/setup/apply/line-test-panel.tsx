import type { ReplyOf, Routes } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { Panel } from '../../../ui/layout/card.tsx'
import { ErrorNotice, Note } from '../../../ui/layout/states.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import type { Plan } from '../plan.ts'
import { lineTestQuery, lineTestRefresh, startLineTest } from '../queries.ts'
import styles from '../setup.module.css'

type LineTest = ReplyOf<Routes['getLineTest']>

const chips = {
  running: { tone: 'info', word: 'Running' },
  passed: { tone: 'ok', word: 'Passed' },
  failed: { tone: 'bad', word: 'Failed' },
  skipped: { tone: 'plain', word: 'Skipped' },
} as const

/** Tests the line that Faxdeck runs, from its registration to a page that comes back over the public network. */
export function LineTestPanel({ plan }: { plan: Plan }) {
  const [asks, setAsks] = useState(false)
  const { data, error } = useQuery(lineTestQuery)
  const start = useAction(startLineTest, { onDone: () => setAsks(false), refreshes: lineTestRefresh })
  const isPending = Object.keys(plan.changes).length > 0
  return (
    <Panel aria-label="Line test">
      <h3>Line test</h3>
      <div className={styles.row}>
        <Button busy={data?.running === true} onClick={() => setAsks(true)}>
          Test the line
        </Button>
        <p className={styles.quiet}>
          Checks the registration, then calls your own number, sends a page and compares it with what arrives.{' '}
          {isPending ? 'To test your changes, apply them first.' : 'Takes about a minute.'}
        </p>
      </div>
      {error && !data && <ErrorNotice error={error} />}
      {data && data.steps.length > 0 && <Steps steps={data.steps} verdict={data.verdict} />}
      <div role="status">
        {data?.verdict && <Note tone={data.passed === true ? 'ok' : 'warn'}>{data.verdict}</Note>}
      </div>
      {asks && (
        <Confirm
          title="Test the line?"
          verb="Test"
          action={start}
          onConfirm={() => start.run(undefined)}
          onClose={() => setAsks(false)}
        >
          Faxdeck calls your own number through the carrier and sends itself one page. The call may cost money.
        </Confirm>
      )}
    </Panel>
  )
}

/** The steps so far. What made a step fail is the verdict, too: it stands only there. */
function Steps({ steps, verdict }: Pick<LineTest, 'steps' | 'verdict'>) {
  return (
    <ol className={styles.lineTest}>
      {steps.map(({ name, title, state, detail }) => (
        <li key={name}>
          <Chip tone={chips[state].tone}>{chips[state].word}</Chip>
          <span className={styles.words}>
            <span className={styles.title}>{title}</span>
            {detail !== '' && detail !== verdict && <span className={styles.quiet}>{detail}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

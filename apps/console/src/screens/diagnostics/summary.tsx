import type { Diagnostics } from '@faxdeck/contract'
import { DownloadButton } from '../../api/download-button.tsx'
import { CopyButton } from '../../ui/control/button.tsx'
import { IconAlert, IconX } from '../../ui/control/icons.ts'
import { StatusChip } from '../../ui/control/status-chip.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './diagnostics.module.css'
import { withLocalTimes } from '../../ui/time.tsx'
import { SettingsButton } from './settings-button.tsx'

interface Issue {
  severity: 'error' | 'warning'
  sentence: string
  /** What was seen. */
  detail: string | null
  /** The setting to go to. */
  setting: string | null
}

/** What the gateway counts as issues, and every other failed check; errors first, each once. */
function issuesOf({ summary, findings }: Diagnostics): Issue[] {
  const failed = findings.filter(({ passed, severity }) => !passed && severity !== 'info')
  const own = (wanted: 'critical' | 'warning') =>
    failed.flatMap(({ severity, sentence }) => (severity === wanted && sentence ? [sentence] : []))
  const listed = (severity: Issue['severity'], sentences: readonly string[]): Issue[] =>
    sentences.map((sentence) => {
      const finding = failed.find((each) => each.sentence === sentence)
      return { severity, sentence, detail: finding?.detail ?? null, setting: finding?.setting ?? null }
    })
  const errors = new Set([...summary.critical_issues, ...own('critical')])
  const warnings = new Set([...summary.warnings, ...own('warning')].filter((sentence) => !errors.has(sentence)))
  return [...listed('error', [...errors]), ...listed('warning', [...warnings])]
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

function verdict(issues: readonly Issue[]): string {
  const errors = issues.filter(({ severity }) => severity === 'error').length
  const parts = [counted(errors, 'error'), counted(issues.length - errors, 'warning')]
  return issues.length === 0 ? 'No problems found.' : parts.join(', ')
}

/** How the gateway fares as a whole, and everything that needs a person. */
export function Summary({ result, backend }: { result: Diagnostics; backend: string }) {
  const issues = issuesOf(result)
  const json = JSON.stringify(result, null, 2)
  return (
    <Panel aria-label="Diagnostic summary">
      <div className={styles.verdict} role="status">
        <StatusChip status={result.summary.healthy ? 'Healthy' : 'Unhealthy'} />
        <span>{verdict(issues)}</span>
        <span className="quiet">
          {backend}, <Time at={result.timestamp} />
        </span>
      </div>
      {issues.length > 0 && (
        <ul className={styles.issues} aria-label="Issues">
          {issues.map((issue) => (
            <IssueLine key={issue.sentence} issue={issue} />
          ))}
        </ul>
      )}
      <div className={styles.row}>
        <CopyButton text={json} label="Copy JSON" />
        <DownloadButton text={json} name="diagnostics.json" type="application/json" />
      </div>
    </Panel>
  )
}

function IssueLine({ issue: { severity, sentence, detail, setting } }: { issue: Issue }) {
  const Shape = severity === 'error' ? IconX : IconAlert
  return (
    <li className={styles.check} data-state={severity}>
      <Shape size="1rem" aria-hidden="true" />
      <div className={styles.words}>
        <p>
          <span className="unseen">{severity === 'error' ? 'Error: ' : 'Warning: '}</span>
          {withLocalTimes(sentence)}
        </p>
        {detail && <p className="quiet">{withLocalTimes(detail)}</p>}
      </div>
      {setting && <SettingsButton setting={setting} what={sentence} />}
    </li>
  )
}

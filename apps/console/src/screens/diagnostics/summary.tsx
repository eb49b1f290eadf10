import type { Diagnostics } from '@faxdeck/contract'
import { saveFile } from '../../api/download.ts'
import { Button } from '../../ui/control/button.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { IconAlert, IconDownload, IconX } from '../../ui/control/icons.ts'
import { StatusChip } from '../../ui/control/status-chip.tsx'
import { Time } from '../../ui/time.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import styles from './diagnostics.module.css'
import { issuesOf, type Issue } from './issues.ts'
import { SettingsButton } from './settings-button.tsx'

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
        <Button
          icon={IconDownload}
          onClick={() => saveFile(new Blob([json], { type: 'application/json' }), 'diagnostics.json')}
        >
          Download
        </Button>
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
          {sentence}
        </p>
        {detail && <p className="quiet">{detail}</p>}
      </div>
      {setting && <SettingsButton setting={setting} what={sentence} />}
    </li>
  )
}

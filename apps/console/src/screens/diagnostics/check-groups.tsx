import { useSession } from '../../session/session.ts'
import { IconAlert, IconCheck, IconInfo, IconX } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { Checkbox } from '../../ui/form/fields.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { usePreference } from '../../ui/use-preference.ts'
import styles from './diagnostics.module.css'
import type { CheckGroup, CheckRow } from './groups.ts'
import { withLocalTimes } from '../../ui/time.tsx'
import { SettingsButton } from './settings-button.tsx'

const hasFailed = ({ rows }: CheckGroup) => rows.some(({ state }) => state === 'failed')

/** Every group of checks, open at first, each with how many have passed; or only what has not. */
export function CheckGroups({ groups }: { groups: readonly CheckGroup[] }) {
  const [problemsOnly, setProblemsOnly] = usePreference('diagnostics.problems-only', false)
  const shown = problemsOnly ? groups.filter(hasFailed) : groups
  return (
    <section className={styles.groups} aria-label="System checks">
      <Checkbox label="Problems only" checked={problemsOnly} onChange={setProblemsOnly} />
      {shown.map((group) => (
        <Group key={group.name} group={group} problemsOnly={problemsOnly} />
      ))}
      {shown.length === 0 && <p className="quiet">Every check passed.</p>}
    </section>
  )
}

const chipIcons = { ok: IconCheck, warn: IconAlert, bad: IconX }

interface GroupProps {
  group: CheckGroup
  problemsOnly: boolean
}

function Group({ group: { title, rows, passed, total, tone }, problemsOnly }: GroupProps) {
  const shown = problemsOnly ? rows.filter(({ state }) => state === 'failed') : rows
  return (
    <Disclosure
      open
      flush
      summary={
        <>
          <h2>{title}</h2>
          {total > 0 && (
            <span className={styles.tally}>
              <Chip tone={tone} icon={chipIcons[tone]}>
                {passed}/{total}
                <span className="unseen"> checks passed</span>
              </Chip>
            </span>
          )}
        </>
      }
    >
      <ul>
        {shown.map((row) => (
          <Check key={row.name} row={row} group={title} />
        ))}
      </ul>
    </Disclosure>
  )
}

function lookOf({ state, finding }: CheckRow) {
  if (state === 'info') return { look: 'info', Shape: IconInfo, word: '' }
  if (state === 'passed') return { look: 'passed', Shape: IconCheck, word: 'Pass' }
  const mild = finding !== undefined && finding.severity !== 'critical'
  const word = finding?.severity === 'info' ? 'Not tested' : 'Fail'
  return { look: mild ? 'warning' : 'error', Shape: mild ? IconAlert : IconX, word }
}

/** Values of the wire in words. */
const valueWords: Readonly<Record<string, string>> = {
  hmac: 'HMAC signature',
  basic: 'Basic auth',
  internal_secret: 'Internal secret',
  none: 'None',
  local: 'Local disk',
  s3: 'S3',
}

function valueOf({ state, value, finding }: CheckRow): string {
  if (state !== 'info') return (finding?.passed && finding.detail && withLocalTimes(finding.detail)) || ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return value === null || value === '' ? '—' : (valueWords[String(value)] ?? withLocalTimes(String(value)))
}

function Check({ row, group }: { row: CheckRow; group: string }) {
  const { look, Shape, word } = lookOf(row)
  const { finding } = row
  const docs = useSession().config.branding.docs_base.replace(/\/$/, '')
  const wrong = finding !== undefined && !finding.passed
  return (
    <li className={styles.check} data-state={look}>
      <Shape size="1rem" aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.line}>
          <span>
            {row.label}
            {word && <span className="unseen">: {word}</span>}
          </span>
          <span className="quiet">{valueOf(row)}</span>
        </p>
        {wrong && (
          <p className={styles.hint}>
            {withLocalTimes(finding.sentence ?? '')}{' '}
            <a href={`${docs}/reference/checks/#${row.name}`} target="_blank" rel="noreferrer">
              About this check
            </a>
          </p>
        )}
        {wrong && finding.detail && <p className="quiet">{withLocalTimes(finding.detail)}</p>}
      </div>
      {wrong && <SettingsButton setting={finding.setting} what={`${group}, ${row.label}`} />}
    </li>
  )
}

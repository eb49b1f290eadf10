import { CopyButton } from '../../ui/control/copy-button.tsx'
import { IconAlert, IconCheck } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { FactList } from '../../ui/layout/fact-list.tsx'
import styles from './plugins.module.css'
import type { ManifestReport } from './queries.ts'

/** What came of the last thing that was tried with a manifest. */
export type Outcome =
  | { kind: 'validated'; report: ManifestReport }
  | { kind: 'rendered'; report: ManifestReport }
  | { kind: 'installed'; id: string }

export function ManifestOutcome({ outcome }: { outcome: Outcome }) {
  return (
    <div className={styles.outcome} role="status">
      {outcome.kind === 'installed' && (
        <p>
          <span className={styles.strong}>{outcome.id} is installed.</span> Use Configure above to enter its
          credentials, then set it active.
        </p>
      )}
      {outcome.kind === 'validated' && <Report report={outcome.report} />}
      {outcome.kind === 'rendered' && <Requests report={outcome.report} />}
    </div>
  )
}

function Warnings({ report }: { report: ManifestReport }) {
  if (report.warnings.length === 0) return null
  return (
    <ul className={styles.warnings} aria-label="Warnings">
      {report.warnings.map((warning) => (
        <li key={warning}>
          <IconAlert size="1rem" aria-hidden="true" />
          <span>{warning}</span>
        </li>
      ))}
    </ul>
  )
}

const listed = (names: readonly string[]) => names.join(', ') || 'none'

function Report({ report }: { report: ManifestReport }) {
  const { id, name, actions, allowed_domains: domains, credentials, settings, warnings } = report
  return (
    <>
      <p>
        <Chip tone={warnings.length > 0 ? 'warn' : 'ok'} icon={warnings.length > 0 ? IconAlert : IconCheck}>
          {warnings.length > 0 ? 'Can be installed, with warnings' : 'Can be installed'}
        </Chip>
      </p>
      <FactList
        facts={[
          [
            'Plugin',
            <span key="plugin">
              {name} <code>{id}</code>
            </span>,
          ],
          ['Actions', listed(actions)],
          ['Connects to', listed(domains)],
          ['Requires', listed([...credentials, ...settings])],
        ]}
      />
      <Warnings report={report} />
    </>
  )
}

/** A request as it would go over the wire. */
function textOf({ method, url, headers, body }: ManifestReport['requests'][number]): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${url}`, ...head, ...(body === null ? [] : ['', body])].join('\n')
}

function Requests({ report }: { report: ManifestReport }) {
  return (
    <>
      <p className={styles.strong}>Nothing was sent. These requests would be made (credentials masked):</p>
      <Warnings report={report} />
      {report.requests.map((request) => (
        <div key={request.action} className={styles.request}>
          <div className={styles.row}>
            <h3>{request.action}</h3>
            <span className={styles.grow} />
            <CopyButton text={textOf(request)} tone="quiet" what={`the request of ${request.action}`} />
          </div>
          <pre tabIndex={0}>{textOf(request)}</pre>
        </div>
      ))}
    </>
  )
}

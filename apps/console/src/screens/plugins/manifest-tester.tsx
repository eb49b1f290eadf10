import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button, CopyButton } from '../../ui/control/button.tsx'
import { IconAlert, IconCheck } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { fieldsOf, TextArea, TextField } from '../../ui/form/fields.tsx'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { FileChooser } from './file-chooser.tsx'
import { Fold } from './fold.tsx'
import { readManifestText, sampleManifest } from './manifest-text.ts'
import styles from './plugins.module.css'
import { type DryRun, installManifest, type ManifestReport, touched, validateManifest } from './queries.ts'

/** Bytes of a manifest that the gateway takes. */
const largestManifest = 256 * 1024

const blank = { text: '', to: '+15551234567', fileUrl: '', fromNumber: '' }

function dryRunOf({ to, fileUrl, fromNumber }: typeof blank, manifest: DryRun['manifest']): DryRun {
  return {
    manifest,
    render_only: true,
    ...(to.trim() && { to: to.trim() }),
    ...(fileUrl.trim() && { file_url: fileUrl.trim() }),
    ...(fromNumber.trim() && { from_number: fromNumber.trim() }),
  }
}

/** Tries a manifest, shows the requests it would make, and installs it. */
export function ManifestTester() {
  const [entered, setEntered] = useState(blank)
  const [fault, setFault] = useState<string>()
  const say = useToast()
  const [outcome, setOutcome] = useState<Outcome>()
  const validate = useAction(validateManifest, { onDone: (report) => setOutcome({ kind: 'validated', report }) })
  const dryRun = useAction(validateManifest, { onDone: (report) => setOutcome({ kind: 'rendered', report }) })
  const install = useAction(installManifest, {
    refreshes: touched,
    onDone: ({ id }) => {
      say('Plugin installed')
      setOutcome({ kind: 'installed', id })
    },
  })
  const actions = [validate, dryRun, install]
  const busy = actions.some((action) => action.busy)
  const field = fieldsOf(entered, (next) => {
    setEntered(next)
    if (next.text !== entered.text) setFault(undefined)
  })
  const setText = field('text').onChange
  const withManifest = (act: (manifest: DryRun['manifest']) => void) => () => {
    for (const action of actions) action.reset()
    setOutcome(undefined)
    const read = readManifestText(entered.text)
    setFault('fault' in read ? read.fault : undefined)
    if ('manifest' in read) act(read.manifest)
  }
  return (
    <Fold name="tester" title="HTTP Manifest Tester" purpose="Check a manifest, preview its requests and install it.">
      <div className={styles.code}>
        <TextArea
          label="Manifest (JSON)"
          rows={14}
          spellCheck={false}
          placeholder={sampleManifest}
          wrong={fault}
          {...field('text')}
        />
      </div>
      <div className={styles.inputs}>
        <FileChooser label="From a file" accept=".json,application/json" limit={largestManifest} onText={setText} />
        <TextField label="To" inputMode="tel" {...field('to')} />
        <TextField label="From" inputMode="tel" placeholder="+15557654321" {...field('fromNumber')} />
        <TextField label="File URL" placeholder="https://fax.example.com/document.pdf" {...field('fileUrl')} />
      </div>
      <div className={styles.row}>
        <Button disabled={busy || entered.text !== ''} onClick={() => setText(sampleManifest)}>
          Start from a sample
        </Button>
        <span className={styles.apart} />
        <Button
          busy={validate.busy}
          disabled={busy && !validate.busy}
          onClick={withManifest((manifest) => validate.run({ manifest }))}
        >
          Validate
        </Button>
        <Button
          busy={dryRun.busy}
          disabled={busy && !dryRun.busy}
          onClick={withManifest((manifest) => dryRun.run(dryRunOf(entered, manifest)))}
        >
          Dry-run Send
        </Button>
        <Button tone="primary" busy={install.busy} disabled={busy && !install.busy} onClick={withManifest(install.run)}>
          Install
        </Button>
      </div>
      {validate.error && <ErrorNotice error={validate.error} />}
      {dryRun.error && <ErrorNotice error={dryRun.error} what="Dry-run failed" />}
      {install.error && <ErrorNotice error={install.error} />}
      {outcome && <ManifestOutcome outcome={outcome} />}
    </Fold>
  )
}

/** What came of the last thing that was tried with a manifest. */
type Outcome =
  | { kind: 'validated'; report: ManifestReport }
  | { kind: 'rendered'; report: ManifestReport }
  | { kind: 'installed'; id: string }

function ManifestOutcome({ outcome }: { outcome: Outcome }) {
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

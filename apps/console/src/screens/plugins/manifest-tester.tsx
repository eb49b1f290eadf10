import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { TextArea, TextField } from '../../ui/form/text-field.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { FileChooser } from './file-chooser.tsx'
import { Fold } from './fold.tsx'
import { ManifestOutcome, type Outcome } from './manifest-outcome.tsx'
import { readManifestText, sampleManifest } from './manifest-text.ts'
import styles from './plugins.module.css'
import { type DryRun, installManifest, touched, validateManifest } from './queries.ts'

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
  const set = (field: keyof typeof blank) => (value: string) => {
    setEntered({ ...entered, [field]: value })
    if (field === 'text') setFault(undefined)
  }
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
          value={entered.text}
          onChange={set('text')}
        />
      </div>
      <div className={styles.inputs}>
        <FileChooser label="From a file" accept=".json,application/json" limit={largestManifest} onText={set('text')} />
        <TextField label="To" inputMode="tel" value={entered.to} onChange={set('to')} />
        <TextField
          label="From"
          inputMode="tel"
          placeholder="+15557654321"
          value={entered.fromNumber}
          onChange={set('fromNumber')}
        />
        <TextField
          label="File URL"
          placeholder="https://fax.example.com/document.pdf"
          value={entered.fileUrl}
          onChange={set('fileUrl')}
        />
      </div>
      <div className={styles.row}>
        <Button disabled={busy || entered.text !== ''} onClick={() => set('text')(sampleManifest)}>
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

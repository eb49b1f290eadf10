import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconAlert, IconCheck } from '../../ui/control/icons.ts'
import { TextArea } from '../../ui/form/fields.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { FileChooser } from './file-chooser.tsx'
import { Fold } from './fold.tsx'
import { importRequestOf } from './manifest-text.ts'
import styles from './plugins.module.css'
import { type Imported, importManifests, touched } from './queries.ts'

const largestText = 1024 * 1024

/** Installs many manifests: from a text, or from the folder the operator put them in. */
export function BulkImport() {
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState<{ result: Imported; test: boolean }>()
  const keep = (test: boolean) => (result: Imported) => setOutcome({ result, test })
  const add = useAction(importManifests, { refreshes: touched, onDone: keep(false) })
  const test = useAction(importManifests, { onDone: keep(true) })
  const scrape = useAction(importManifests, { refreshes: touched, onDone: keep(false) })
  const actions = [add, test, scrape]
  const busy = actions.some((action) => action.busy)
  const isEmpty = text.trim() === ''
  const fresh = (act: () => void) => () => {
    for (const action of actions) action.reset()
    setOutcome(undefined)
    act()
  }
  return (
    <Fold name="import" title="Bulk Import" purpose="Install many manifests at once.">
      <div className={styles.code}>
        <TextArea
          label="Manifests"
          rows={8}
          spellCheck={false}
          help="A JSON array, an object with items, or Markdown with manifests in fenced code blocks."
          value={text}
          onChange={setText}
        />
      </div>
      <FileChooser
        label="From a file"
        accept=".json,.md,.txt,application/json,text/markdown"
        limit={largestText}
        onText={setText}
      />
      <div className={styles.row}>
        <Button
          busy={scrape.busy}
          disabled={busy && !scrape.busy}
          onClick={fresh(() => scrape.run({ source: 'repo_scrape' }))}
        >
          Import from repo scrape
        </Button>
        <span className={styles.apart} />
        <Button
          busy={test.busy}
          disabled={isEmpty || (busy && !test.busy)}
          onClick={fresh(() => test.run({ ...importRequestOf(text), test: true }))}
        >
          Test Add
        </Button>
        <Button
          tone="primary"
          busy={add.busy}
          disabled={isEmpty || (busy && !add.busy)}
          onClick={fresh(() => add.run(importRequestOf(text)))}
        >
          Import
        </Button>
      </div>
      <p className={styles.quiet}>
        Test Add checks the manifests and installs nothing. Import from repo scrape reads the{' '}
        <code>plugin-manifests</code> folder in the data directory. Nothing is fetched from the network.
      </p>
      {add.error && <ErrorNotice error={add.error} />}
      {test.error && <ErrorNotice error={test.error} what="Test add failed" />}
      {scrape.error && <ErrorNotice error={scrape.error} what="Import from repo failed" />}
      {outcome && <ImportOutcome {...outcome} />}
    </Fold>
  )
}

const counted = (count: number) => `${count} ${count === 1 ? 'manifest' : 'manifests'}`

function ImportOutcome({ result, test }: { result: Imported; test: boolean }) {
  const { imported, errors } = result
  const verb = test ? 'can be installed' : imported.length === 1 ? 'was installed' : 'were installed'
  return (
    <div className={styles.outcome} role="status">
      <p className={styles.strong}>
        {counted(imported.length)} {verb}
        {errors.length > 0 && `, ${errors.length} refused`}.
      </p>
      <ul className={styles.warnings} aria-label="Manifests">
        {imported.map(({ id, name }) => (
          <li key={id} data-good>
            <IconCheck size="1rem" aria-hidden="true" />
            <span>
              {name} <code>{id}</code>
            </span>
          </li>
        ))}
        {errors.map(({ error, data_keys: keys }, index) => (
          <li key={index}>
            <IconAlert size="1rem" aria-hidden="true" />
            <span>
              {error} {keys.length > 0 && <span className={styles.quiet}>Found: {keys.join(', ')}.</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

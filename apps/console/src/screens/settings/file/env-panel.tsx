import { DownloadButton } from '../../../api/download-button.tsx'
import { CopyButton } from '../../../ui/control/button.tsx'
import { Checkbox, TextArea } from '../../../ui/form/fields.tsx'
import { Note } from '../../../ui/layout/states.tsx'
import styles from '../settings.module.css'
import { TitledSection } from '../titled-section.tsx'
import type { EnvFile } from './env-file.ts'

const fileName = 'faxdeck.env'

/** The settings as an .env file: to read, copy, download, and write on the server. */
export function EnvPanel({ file, unsaved }: { file: EnvFile; unsaved: boolean }) {
  const { content, withSecrets, change, load, path } = file
  return (
    <TitledSection
      name="env"
      title={fileName}
      purpose={`The current settings as an .env file.${unsaved ? ' Unsaved changes are not included.' : ''}`}
    >
      <div role="status">{path && <Note tone="ok">Written to {path}.</Note>}</div>
      <div className={styles.env}>
        <TextArea
          label="Environment file"
          help="Export .env fills this panel. Edits are written only by Save .env to server."
          rows={content === '' ? 3 : 14}
          spellCheck={false}
          value={content}
          onChange={change}
        />
      </div>
      <Checkbox
        label="Include secrets"
        help="The export is recorded in the audit trail."
        checked={withSecrets}
        disabled={load.busy}
        onChange={(secrets) => load.run(secrets)}
      />
      <div className={styles.buttons}>
        <CopyButton text={content} what={fileName} />
        <DownloadButton text={content} name={fileName} type="text/plain" disabled={content === ''} />
      </div>
    </TitledSection>
  )
}

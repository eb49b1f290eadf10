import { useState } from 'react'
import { saveFile } from '../../../api/download.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { CopyButton } from '../../../ui/control/copy-button.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { IconDownload } from '../../../ui/control/icons.ts'
import { Checkbox } from '../../../ui/form/switch.tsx'
import { withChanges } from './env-file.ts'
import type { Plan } from '../plan.ts'
import { exportSettings } from '../queries.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { PlainCode } from '../../../ui/layout/code-block.tsx'
import styles from '../setup.module.css'

const fileName = 'faxdeck.env'

/** The configuration as an .env file: what is in force, with what is entered here in its place. */
export function EnvPanel({ plan }: { plan: Plan }) {
  const [secrets, setSecrets] = useState(false)
  const [made, setMade] = useState<{ exported: string; secrets: boolean }>()
  const generate = useAction(exportSettings, {
    onDone: ({ env_content: exported }, asked) => setMade({ exported, secrets: asked }),
  })
  const content = made && withChanges(made.exported, plan, made.secrets)
  return (
    <Panel aria-label="Export">
      <h3>Export</h3>
      <div className={styles.row}>
        <Button busy={generate.busy} onClick={() => generate.run(secrets)}>
          Generate .env
        </Button>
        <Checkbox label="Include secrets" help="Recorded in the audit trail." checked={secrets} onChange={setSecrets} />
      </div>
      {generate.error && <ErrorNotice error={generate.error} />}
      {content !== undefined && (
        <>
          <PlainCode aria-label={fileName}>{content}</PlainCode>
          <div className={styles.row}>
            <CopyButton text={content} what={fileName} />
            <Button icon={IconDownload} onClick={() => saveFile(new Blob([content], { type: 'text/plain' }), fileName)}>
              Download
            </Button>
          </div>
        </>
      )}
    </Panel>
  )
}

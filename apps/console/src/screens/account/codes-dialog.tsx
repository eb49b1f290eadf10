import { saveFile } from '../../api/download.ts'
import { Button } from '../../ui/control/button.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { IconDownload, IconPrinter } from '../../ui/control/icons.ts'
import form from '../../ui/form/fields.module.css'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { printPage } from '../../ui/print/print-page.ts'
import styles from './account.module.css'

/** The only time that recovery codes are seen; it closes with its button alone. */
export function CodesDialog({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `Recovery codes for Faxdeck at ${location.host}\nEach works once.\n\n${codes.join('\n')}\n`
  const save = () => saveFile(new Blob([text], { type: 'text/plain' }), 'faxdeck-recovery-codes.txt')
  return (
    <Dialog
      title="Recovery codes"
      onClose={onDone}
      dismissable={false}
      footer={
        <Button tone="primary" onClick={onDone}>
          I’ve saved them
        </Button>
      }
    >
      <div className={form.form}>
        <p>
          Use one of these to sign in if you lose your phone or security key. Each works once. Save them now: they won’t
          be shown again. Any earlier codes no longer work.
        </p>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className={styles.actions}>
          <Button icon={IconDownload} onClick={save}>
            Download
          </Button>
          <Button icon={IconPrinter} onClick={() => void printPage()}>
            Print
          </Button>
          <CopyButton text={codes.join('\n')} label="Copy" what="recovery codes" />
        </div>
      </div>
    </Dialog>
  )
}

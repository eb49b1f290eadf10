import type { Diagnostics } from '@faxdeck/contract'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { Note } from '../../../ui/layout/note.tsx'
import { runDiagnostics } from '../queries.ts'
import styles from '../settings.module.css'

interface Verdict {
  tone: 'ok' | 'warn'
  words: string
}

/** What a run of the diagnostics says of S3. */
function s3Verdict({ checks, findings }: Diagnostics): Verdict {
  const storage = checks.storage ?? {}
  if (storage.type !== undefined && storage.type !== 's3') {
    const present = `the gateway stores documents on ${storage.type === 'local' ? 'the local disk' : String(storage.type)}. Choose S3 and apply it first.`
    return { tone: 'warn', words: `S3 validation incomplete: ${present}` }
  }
  if (storage.accessible === undefined && storage.bucket_set === undefined) {
    const words = 'The diagnostics included no S3 checks. Set ENABLE_S3_DIAGNOSTICS=true on the server.'
    return { tone: 'warn', words }
  }
  if (storage.accessible === true) return { tone: 'ok', words: 'S3 validation passed' }
  const failed = findings.filter(({ group, passed }) => group === 'storage' && !passed)
  const why = failed.flatMap(({ sentence, detail }) => detail ?? sentence ?? []).join(' ')
  // A bucket that is set counts; that nothing can be stored in it yet is said with it.
  if (storage.bucket_set === true) {
    if (storage.accessible === undefined) return { tone: 'ok', words: 'S3 validation passed' }
    return { tone: 'warn', words: `S3 validation passed: the bucket is set. It can’t be used yet. ${why}`.trimEnd() }
  }
  return { tone: 'warn', words: `S3 validation incomplete${why && `: ${why}`}` }
}

/** Lets the gateway try its document storage. */
export function StorageCheck({ unsaved }: { unsaved: boolean }) {
  const check = useAction(runDiagnostics)
  return (
    <div className={styles.tools}>
      <Button busy={check.busy} onClick={() => check.run(undefined)}>
        Validate S3
      </Button>
      {unsaved && <p className="quiet">Unsaved changes are not tested. Apply them first.</p>}
      {check.error && <ErrorNotice error={check.error} what="S3 validation failed" />}
      <div role="status">
        {check.reply && <Note tone={s3Verdict(check.reply).tone}>{s3Verdict(check.reply).words}</Note>}
      </div>
    </div>
  )
}

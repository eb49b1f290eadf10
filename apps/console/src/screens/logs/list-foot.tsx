import { DownloadButton } from '../../api/download-button.tsx'
import { CopyButton } from '../../ui/control/button.tsx'
import { grouped } from '../../ui/words/figures.ts'
import styles from './logs.module.css'
import type { LogList } from './queries.ts'

/** Below the list: how many entries it shows, and taking them along, one line of JSON each. */
export function ListFoot({ list: { rows, loaded, file } }: { list: LogList }) {
  const text = rows.map(({ entry }) => `${JSON.stringify(entry)}\n`).join('')
  const shown = rows.length === loaded ? '' : ` of ${grouped(loaded)} read`
  return (
    <div className={styles.foot}>
      <p className="quiet">
        <span role="status">
          {grouped(rows.length)}
          {shown} {rows.length === 1 ? 'entry' : 'entries'}
        </span>
        {file && (
          <>
            {' '}
            from <code>{file}</code>
          </>
        )}
      </p>
      <CopyButton text={text} what="shown entries" />
      <DownloadButton text={text} name="audit-log.jsonl" type="application/jsonl" />
    </div>
  )
}

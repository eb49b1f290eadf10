import { saveFile } from '../../api/download.ts'
import { Button, CopyButton } from '../../ui/control/button.tsx'
import { IconDownload } from '../../ui/control/icons.ts'
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
      <Button
        icon={IconDownload}
        onClick={() => saveFile(new Blob([text], { type: 'application/jsonl' }), 'audit-log.jsonl')}
      >
        Download
      </Button>
    </div>
  )
}

import { CopyButton } from '../../ui/control/button.tsx'
import { grouped } from '../../ui/words/figures.ts'
import styles from './scripts.module.css'

/** More than this is not shown. */
const maxLines = 400

/** The last 400 lines of what a run wrote, to read and to copy. */
export function OutputViewer({ label, lines }: { label: string; lines: readonly string[] }) {
  const shown = lines.slice(-maxLines)
  const left = lines.length - shown.length
  const text = shown.join('\n')
  return (
    <figure className={styles.output}>
      <figcaption>
        <span className="quiet">{left > 0 && `${grouped(left)} earlier lines left out`}</span>
        <CopyButton tone="quiet" text={text} what={label} />
      </figcaption>
      <pre tabIndex={0} role="log" aria-label={label}>
        {text}
      </pre>
    </figure>
  )
}

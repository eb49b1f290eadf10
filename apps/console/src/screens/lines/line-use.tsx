import type { Lines } from '@faxdeck/contract'
import { grouped } from '../../ui/words/grouped.ts'
import { Time } from '../../ui/time.tsx'
import styles from './lines.module.css'

type Use = Lines['use'][number]

const calls = (count: number) => (count === 1 ? '1 call' : `${grouped(count)} calls`)

/** How busy the lines of each provider were in the last four weeks, and how many would be enough. */
export function LineUse({ use }: { use: readonly Use[] }) {
  if (use.length === 0) return <p className={styles.quiet}>No calls in the last four weeks.</p>
  return use.map((of) => (
    <dl key={of.backend} className={styles.use} aria-label={of.backend}>
      <div>
        <dt>Backend</dt>
        <dd>{of.backend}</dd>
      </div>
      <div>
        <dt>Last 4 weeks</dt>
        <dd>{calls(of.calls)}</dd>
      </div>
      <div>
        <dt>Most at once</dt>
        <dd>
          {of.peak}{' '}
          <span className={styles.quiet}>
            (<Time at={of.peak_at} />)
          </span>
        </dd>
      </div>
      <div>
        <dt>Allowed at once</dt>
        <dd>{of.allowed} for sending</dd>
      </div>
      <div>
        <dt>Enough lines</dt>
        <dd>{of.enough ?? 'Not known yet'}</dd>
      </div>
      <p className={styles.basis}>{of.basis}</p>
    </dl>
  ))
}

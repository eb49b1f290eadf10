import type { Lines } from '@faxdeck/contract'
import { providerName, type Providers } from '../../api/providers.ts'
import { grouped } from '../../ui/words/grouped.ts'
import { Time } from '../../ui/time.tsx'
import styles from './lines.module.css'

type Use = Lines['use'][number]

const calls = (count: number) => (count === 1 ? '1 call' : `${grouped(count)} calls`)

/** How busy the lines of each provider were in the last four weeks, and how many would be enough. */
export function LineUse({ use, providers }: { use: readonly Use[]; providers: Providers | undefined }) {
  if (use.length === 0) return <p className="muted">No calls in the last four weeks.</p>
  return use.map((of) => (
    <section key={of.backend} className={styles.use} aria-label={providerName(of.backend, providers)}>
      <h3>{providerName(of.backend, providers)}</h3>
      <dl>
        <div>
          <dt>Last 4 weeks</dt>
          <dd>{calls(of.calls)}</dd>
        </div>
        <div>
          <dt>Peak concurrent calls</dt>
          <dd>
            {of.peak}{' '}
            <span className="muted">
              (<Time at={of.peak_at} />)
            </span>
          </dd>
        </div>
        <div>
          <dt>Outbound call limit</dt>
          <dd>{calls(of.allowed)}</dd>
        </div>
        <div>
          <dt>Lines needed</dt>
          <dd>{of.enough ?? 'Not enough data yet'}</dd>
        </div>
      </dl>
      <p className="quiet">{of.basis}</p>
    </section>
  ))
}

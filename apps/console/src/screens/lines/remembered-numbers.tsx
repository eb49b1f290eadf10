import type { RememberedNumber } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providerName, type Providers } from '../../api/overview.ts'
import { useAction } from '../../api/use-action.ts'
import { ConfirmAction } from '../../session/confirm-action.tsx'
import { Button } from '../../ui/control/button.tsx'
import { MaskedNumber } from '../../ui/fax/masked-number.tsx'
import { ShowAll } from '../../ui/layout/show-all.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Time } from '../../ui/time.tsx'
import { grouped } from '../../ui/words/figures.ts'
import styles from './lines.module.css'
import { forgetNumber, forgetNumbers, numbersQuery } from './queries.ts'

/** "T.38, 9,600 bit/s, without error correction". */
function optionWords({ transport, speed, ecm, buffered }: RememberedNumber['options']): string {
  return [
    transport && { audio: 'Audio', t38: 'T.38' }[transport],
    speed && `${grouped(speed)} bit/s`,
    ecm === undefined ? undefined : ecm ? 'with error correction' : 'without error correction',
    buffered && 'with a jitter buffer',
  ]
    .filter(Boolean)
    .join(', ')
}

const refreshes = [numbersQuery.queryKey]

/** What worked with which number. It is tried first, and forgotten after 30 days or here. */
export function RememberedNumbers({ providers }: { providers: Providers | undefined }) {
  const { data, error, isFetching, refetch } = useQuery(numbersQuery)
  const [asking, setAsking] = useState(false)
  const forget = useAction(forgetNumber, { refreshes })
  return (
    <>
      <div className={styles.head}>
        <p className="muted">
          For 30 days, Faxdeck first uses the options that last worked with a number. If a call is cut off, each retry
          changes one option: a jitter buffer where packets came late, then the speed, error correction, and T.38 or
          audio.
        </p>
        {data && data.length > 0 && <Button onClick={() => setAsking(true)}>Forget all</Button>}
      </div>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {forget.error && <ErrorNotice error={forget.error} />}
      {!data && !error && <Skeleton lines={3} height={1.5} />}
      {data?.length === 0 && <p className="muted">No remembered numbers.</p>}
      <ShowAll items={data ?? []} first={10} what="numbers">
        {(shown) => (
          <ul className={styles.channels} aria-label="Remembered numbers">
            {shown.map(({ id, number, backend, options, learned_at: learned, expires_at: expires }) => (
              <li key={id}>
                <span>
                  <MaskedNumber number={number} />
                  <span className="muted"> · {providerName(backend, providers)}</span>
                  <br />
                  {optionWords(options)}
                  <span className="muted">
                    {' · learned '}
                    <Time at={learned} /> · expires <Time at={expires} dayOnly />
                  </span>
                </span>
                <Button
                  aria-label={`Forget the number ending in ${number.slice(-4)}`}
                  tone="quiet"
                  busy={forget.busy}
                  onClick={() => forget.run(id)}
                >
                  Forget
                </Button>
              </li>
            ))}
          </ul>
        )}
      </ShowAll>
      {asking && (
        <ConfirmAction
          title="Forget every number?"
          verb="Forget all"
          danger
          perform={forgetNumbers}
          input={undefined}
          refreshes={refreshes}
          onClose={() => setAsking(false)}
        >
          <p>
            The next call to each number uses your settings. The options that work are remembered again after the next
            delivered fax.
          </p>
        </ConfirmAction>
      )}
    </>
  )
}

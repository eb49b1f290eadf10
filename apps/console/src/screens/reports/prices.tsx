import type { Price } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providerName, type Providers } from '../../api/providers.ts'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { dayInWords } from './figure-words.ts'
import { PriceDialog } from './price-dialog.tsx'
import { pricesQuery, removePrice } from './queries.ts'
import styles from './reports.module.css'

/** "0.07 a page, 0.01 a minute". */
function termsInWords({ currency, per_page: page, per_minute: minute, per_call: call }: Price): string {
  const terms = [
    page === null ? undefined : `${page} ${currency} per page`,
    minute === null ? undefined : `${minute} ${currency} per minute`,
    call === null ? undefined : `${call} ${currency} per call`,
  ]
  return terms.filter(Boolean).join(', ')
}

const refreshes = [pricesQuery.queryKey, ['reports']]

/** What providers charge. Who may change settings sets it. */
export function Prices({ providers }: { providers: Providers | undefined }) {
  const { may } = useSession()
  const { data, error, isFetching, refetch } = useQuery(pricesQuery)
  const [adding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Price>()
  const remove = useAction(removePrice, { refreshes, onDone: () => setAsked(undefined) })
  const mayChange = may('manage_settings')
  return (
    <>
      <div className={styles.head}>
        <p className="quiet">
          A price applies from its date until the same provider’s next price, so the costs of past months don’t change.
        </p>
        {mayChange && <Button onClick={() => setAdding(true)}>Add price</Button>}
      </div>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} height={1.5} />}
      {data?.length === 0 && <p className="quiet">No prices yet. Reports show no costs until you add one.</p>}
      <ul className={styles.prices} aria-label="Prices">
        {data?.map((price) => (
          <li key={price.id}>
            <span>
              {providerName(price.backend, providers)}
              <span className="quiet">
                {` · ${price.direction === 'sent' ? 'sending' : 'receiving'} · from ${dayInWords(price.valid_from, true)}`}
              </span>
              <br />
              {termsInWords(price)}
            </span>
            {mayChange && (
              <Button
                tone="quiet"
                aria-label={`Remove the price of ${providerName(price.backend, providers)} from ${dayInWords(price.valid_from, true)}`}
                onClick={() => setAsked(price)}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {adding && <PriceDialog providers={providers} refreshes={refreshes} onClose={() => setAdding(false)} />}
      {asked && (
        <Confirm
          title="Remove this price?"
          verb="Remove price"
          danger
          action={remove}
          onConfirm={() => remove.run(asked.id)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            Days with this price will use the provider’s previous price instead. If there is none, they show no cost.
          </p>
        </Confirm>
      )}
    </>
  )
}

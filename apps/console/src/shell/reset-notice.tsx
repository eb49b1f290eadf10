import type { Account } from '@faxdeck/contract'
import { accountQuery } from '../api/account.ts'
import { acknowledgeReset } from '../api/factors.ts'
import { useAction } from '../api/use-action.ts'
import { ErrorNotice } from '../ui/layout/error-notice.tsx'
import { Time } from '../ui/time.tsx'
import styles from './banners.module.css'
import { useSession } from '../session/session.ts'

/** Says to somebody who signs in that their second factors are gone, until they dismiss it: they may not have asked for that. */
export function ResetNotice({ at }: { at: NonNullable<Account['factors_reset_at']> }) {
  const { go } = useSession()
  const dismiss = useAction(acknowledgeReset, { refreshes: [accountQuery.queryKey] })
  return (
    <section aria-label="Second factors" role="status" className={styles.banner}>
      <p>
        <span>
          An administrator reset your second factors on <Time at={at} dated />. If you didn’t ask for this, tell them.
        </span>
        <button type="button" onClick={() => go('account')}>
          Set up new ones
        </button>
        <button type="button" disabled={dismiss.busy} onClick={() => dismiss.run(undefined)}>
          Dismiss
        </button>
      </p>
      {dismiss.error && <ErrorNotice error={dismiss.error} />}
    </section>
  )
}

import type { InboundFax } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { providerName, providersQuery } from '../../api/overview.ts'
import { useSession } from '../../session/session.ts'
import { IconAlert } from '../../ui/control/icons.ts'
import styles from './troubleshooting.module.css'

/** Above a list with faxes that could not be received: how many, why, what to do, where it is explained. */
export function Troubleshooting({ faxes }: { faxes: readonly InboundFax[] }) {
  const { config } = useSession()
  const { data } = useQuery(providersQuery)
  const failed = faxes.filter((fax) => fax.status === 'failed' && !fax.needs_attention)
  if (failed.length === 0) return null
  const reasons = new Set(failed.flatMap((fax) => fax.error ?? []))
  const backends = [...new Set(failed.map((fax) => fax.backend))]
  const advice = failed.some((fax) => !fax.document_kept)
    ? 'Check the provider’s credentials and callback URL, then select Fetch again.'
    : 'The pages that arrived were kept. Ask the sender to resend the rest.'
  const docs = config.branding.docs_base.replace(/\/$/, '')
  return (
    <section className={styles.banner} aria-label="Troubleshooting">
      <IconAlert size="1.125rem" aria-hidden="true" />
      <div>
        <p className={styles.what}>
          {failed.length === 1 ? '1 fax could not be received.' : `${failed.length} faxes could not be received.`}
        </p>
        {[...reasons].slice(0, 3).map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
        <p>
          {advice} Setup guide:{' '}
          {backends.map((backend, index) => (
            <span key={backend}>
              {index > 0 && ', '}
              <a href={`${docs}/setup/${encodeURIComponent(backend)}/`} target="_blank" rel="noreferrer">
                {providerName(backend, data)}
              </a>
            </span>
          ))}
          .
        </p>
      </div>
    </section>
  )
}

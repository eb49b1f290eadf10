import type { Finding } from '@faxdeck/contract'
import type { ProviderAccess } from '../../base/providers/access.ts'

/** What a provider refused before. */
export interface Refusal {
  forget: (providerId: string) => void
}

/** The checks of an account that was asked. */
const accountChecks = ['auth', 'account_answers']

/** Credentials that a provider accepts now are no longer those that it refused. */
export function noteAccepted(
  providers: Pick<ProviderAccess, 'outbound'>,
  refusal: Refusal,
  findings: readonly Finding[],
): void {
  const { id } = providers.outbound()
  if (findings.some(({ group, check, passed }) => group === id && accountChecks.includes(check) && passed)) {
    refusal.forget(id)
  }
}

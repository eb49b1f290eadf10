import type { Finding } from '@faxdeck/contract'
import type { LastRefusal } from '../health/last-refusal.ts'
import type { ProviderAccess } from '../providers/access.ts'

/** The checks of an account that was asked. */
const accountChecks = ['auth', 'account_answers']

/** Credentials that a provider accepts now are no longer those that it refused. */
export function noteAccepted(
  providers: Pick<ProviderAccess, 'outbound'>,
  refusal: Pick<LastRefusal, 'forget'>,
  findings: readonly Finding[],
): void {
  const { id } = providers.outbound()
  if (findings.some(({ group, check, passed }) => group === id && accountChecks.includes(check) && passed)) {
    refusal.forget(id)
  }
}

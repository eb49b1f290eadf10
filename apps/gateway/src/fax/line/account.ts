import type { FaxAttemptRow } from '../../base/db/tables/tables.ts'
import type { GatewayContext } from '../../base/context.ts'

/** Whether an attempt is known to have been made through another account. */
export const isOfAnother = (attempt: FaxAttemptRow, account: string | null): boolean =>
  attempt.account !== null && attempt.account !== account

/** Whether an attempt is known to have been made through another account than its provider is used with now. */
export const isElsewhere = ({ providers }: GatewayContext, attempt: FaxAttemptRow): boolean =>
  isOfAnother(attempt, providers.account(attempt.provider))

/** Shown when somebody cancels an attempt that only another account can stop. */
export function outOfReachSentence({ providers }: GatewayContext, { provider }: FaxAttemptRow): string {
  const name = providers.find(provider)?.name ?? provider
  return `The fax may still go out. It was sent to ${name} through a different account from the one set up now, so Faxdeck can’t stop it. Cancel it in that account.`
}

/** Shown for an attempt that the account in use knows nothing about. */
export function elsewhereSentence({ providers }: GatewayContext, { provider }: FaxAttemptRow): string {
  const name = providers.find(provider)?.name ?? provider
  return `The fax was sent to ${name} through a different account from the one set up now, so Faxdeck can’t find out its outcome. Look it up in that account, or ask the recipient, then decide.`
}

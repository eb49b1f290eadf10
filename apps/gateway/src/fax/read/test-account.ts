import type { GatewayContext } from '../../base/context.ts'

/**
 * The name of the provider in use when its account sends nothing: by its settings, or by what it last said of a fax it
 * took in this account. Null when neither is known.
 */
export async function testAccountInUse({ providers, database }: GatewayContext): Promise<string | null> {
  const { id, name } = providers.outbound()
  if (providers.isTestAccount(id)) return name
  const account = providers.account(id)
  const last = await database.db
    .selectFrom('fax_attempts')
    .select('is_test')
    .where('provider', '=', id)
    .where('account', account === null ? 'is' : '=', account)
    .where('is_test', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.is_test === 1 ? name : null
}

import type { GatewayContext } from '../../base/context.ts'
import { describePause } from '../../base/providers/describe-pause.ts'
import { testAccountInUse } from '../../fax/read/test-account.ts'
import { testAccountSentence } from '../../base/providers/test-line.ts'
import type { Provider } from '@faxdeck/provider-kit'

/** Whether a provider refused the credentials of its last fax, until they were changed or have worked. */
interface LastRefusal {
  /** One sentence, or nothing. */
  of: (provider: Provider) => Promise<string | undefined>
  /** The credentials were changed, or tried with success: what was refused before reports nothing now. */
  forget: (providerId: string) => void
}

/** Among so many of the newest failures that of a provider is looked for. */
const failuresLookedAt = 50

export function createLastRefusal({ database: { db }, now }: GatewayContext): LastRefusal {
  const forgottenAt = new Map<string, string>()
  const lastFailureOf = async (id: string) => {
    const newest = await db
      .selectFrom('fax_jobs')
      .select(['backend', 'error_kind', 'finished_at'])
      .where('status', '=', 'FAILED')
      .where('finished_at', 'is not', null)
      .orderBy('finished_at', 'desc')
      .limit(failuresLookedAt)
      .execute()
    return newest.find(({ backend, error_kind: kind }) => backend === id && kind !== 'cancelled')
  }
  const wentOutSince = async (id: string, at: string) => {
    const delivered = db.selectFrom('fax_jobs').select('id').where('status', '=', 'SUCCESS').where('backend', '=', id)
    return (await delivered.where('finished_at', '>', at).limit(1).executeTakeFirst()) !== undefined
  }
  return {
    of: async ({ id, name }) => {
      const last = await lastFailureOf(id)
      const at = last?.finished_at ?? ''
      if (last?.error_kind !== 'bad_credentials' || at <= (forgottenAt.get(id) ?? '')) return undefined
      if (await wentOutSince(id, at)) return undefined
      return `${name} refused the credentials of the last fax (${at.slice(0, 16).replace('T', ' ')} UTC). Correct them under Settings, then run Diagnostics.`
    },
    forget: (id) => void forgottenAt.set(id, now().toISOString()),
  }
}

/** What is wrong with sending. */
export interface HealthProblem {
  sentence: string
  /** The provider works but asked us to slow down; nobody has to do anything. */
  isPause: boolean
}

/** Why the dashboard is not healthy: what keeps faxes from being sent, or made the last one fail. */
export async function findProblem(context: GatewayContext, refusal: LastRefusal): Promise<HealthProblem | undefined> {
  const { providers, breakers, home } = context
  const provider = providers.outbound()
  const tester = await testAccountInUse(context)
  const sentence =
    home.question ??
    providers.problemOf(provider) ??
    describePause({ providers, breakers }, provider) ??
    (await refusal.of(provider)) ??
    (tester === null ? undefined : testAccountSentence(tester))
  if (sentence === undefined) return undefined
  const isPause =
    home.question === undefined &&
    !providers.problemOf(provider) &&
    breakers.pauseOf(provider.id)?.reason === 'rate_limited'
  return { sentence, isPause }
}

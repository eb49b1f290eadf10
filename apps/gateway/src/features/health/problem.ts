import type { GatewayContext } from '../../base/context.ts'
import { describePause } from '../../base/providers/describe-pause.ts'
import { testAccountInUse } from '../../fax/read/test-account.ts'
import { testAccountSentence, testLineSentence } from '../../base/providers/test-line.ts'
import type { LastRefusal } from './last-refusal.ts'

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
  const unused = providers.bypassed()
  const tester = await testAccountInUse(context)
  const sentence =
    home.question ??
    providers.problemOf(provider) ??
    describePause({ providers, breakers }, provider) ??
    (await refusal.of(provider)) ??
    (unused && testLineSentence(unused.name)) ??
    (tester === null ? undefined : testAccountSentence(tester))
  if (sentence === undefined) return undefined
  const isPause =
    home.question === undefined &&
    !providers.problemOf(provider) &&
    breakers.pauseOf(provider.id)?.reason === 'rate_limited'
  return { sentence, isPause }
}

import { type CallTuning, type OutgoingFax, ProviderProblem } from '@faxdeck/provider-kit'
import type { CallPaths } from '../sip/engine.ts'
import { assertDialable, callHeaders } from '../sip/originate.ts'
import { longestCallSeconds } from './config/dialplan.ts'
import type { Trunk } from './more-trunks.ts'
import { dialed, type LinePlan } from './plan.ts'

/** Options of the application SendFAX: F audio only, f audio when T.38 fails, z we ask for T.38. */
const sendOptions: Readonly<Record<LinePlan['t38'], string>> = { auto: 'f', request: 'fz', only: 'z', off: 'F' }

/** What of a call can be changed. */
export const tuningOf = ({ speed, ecm, t38 }: LinePlan): CallTuning => ({
  speeds: [speed, ...[9600, 4800].filter((slower) => slower < speed)],
  ecm,
  transports: t38 === 'off' ? ['audio'] : t38 === 'only' ? ['t38'] : ['audio', 't38'],
  hasBuffer: t38 !== 'only',
})

/**
 * No subscriber of North America has such a number (area codes 0xx, 1xx and N11), and behind a prefix, or without its
 * country code, a telephone system may take it for a call for help: 9-1-1.
 */
const noSubscriber = /^\+?1([01]|[2-9]11)/

/** The number of its sender, unless it belongs to another trunk: a carrier refuses what it does not know. */
function callerIdOf({ to, from }: Pick<OutgoingFax, 'to' | 'from'>, plan: LinePlan, trunk: Trunk): string | undefined {
  const isOn = ({ numbers }: Trunk) => numbers.some(({ number }) => number === from)
  const isElsewhere = !isOn(trunk) && plan.trunks.some(isOn)
  return from !== undefined && !isElsewhere ? from : plan.callerIdFor(to, trunk)
}

/**
 * The headers of the Originate that sends a fax through a trunk.
 * @throws {ProviderProblem} `bad_number`
 */
export function trunkHeaders(
  fax: Pick<OutgoingFax, 'attemptId' | 'to' | 'from' | 'call'>,
  plan: LinePlan,
  trunk: Trunk,
  paths: CallPaths,
  test?: { station: string },
): [name: string, value: string][] {
  const { to } = fax
  assertDialable(to)
  if (noSubscriber.test(to)) throw new ProviderProblem('bad_number', 'No area code of North America begins like this.')
  const number = dialed(to, plan.dial)
  if (!/^\+?\d{3,32}$/.test(number)) throw new ProviderProblem('bad_number', 'The number cannot be dialed.')
  const callerId = callerIdOf(fax, plan, trunk)
  const own = plan.trunks.flatMap(({ numbers }) => numbers).find((each) => each.number === callerId)
  return callHeaders(
    fax,
    {
      channel: `PJSIP/${number}@${trunk.name}`,
      // A test asks for T.38, to see whether the carrier has it.
      options: sendOptions[test && plan.t38 === 'auto' ? 'request' : plan.t38],
      ecm: plan.ecm,
      ringSeconds: plan.ringSeconds,
      callerId,
      station: test?.station ?? own?.csid ?? callerId,
      // Incoming calls count those of the same group.
      variables: { 'TIMEOUT(absolute)': String(longestCallSeconds), 'GROUP()': trunk.name },
    },
    paths,
  )
}

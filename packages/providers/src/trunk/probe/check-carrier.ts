import { isDeepStrictEqual } from 'node:util'
import { type Check, type Finding, hasValue, needsSettings, notRun, type ProviderSettings } from '@faxdeck/provider-kit'
import type { Trunk } from '../more-trunks.ts'
import { type LinePlan, planOf } from '../plan.ts'
import type { TrunkState } from '../process/keeper-session.ts'
import { openAsterisk } from '../process/shared-asterisk.ts'
import { askCarrier } from './ask-carrier.ts'

/** What of a plan leads to the carriers. */
const waysOf = ({ trunks, transport, authority, bind }: LinePlan) => ({ trunks, transport, authority, bind })

/** What Asterisk knows of these trunks; nothing where it runs with others, as when settings are only tried. */
function knownStates(plan: LinePlan, directory: string): readonly TrunkState[] {
  const asterisk = openAsterisk(directory)
  return asterisk?.plan && isDeepStrictEqual(waysOf(asterisk.plan), waysOf(plan)) ? asterisk.states : []
}

const hasAccount = (settings: ProviderSettings) =>
  hasValue(settings, 'trunk_host') &&
  (settings.trunk_sign_in === 'ip' || (hasValue(settings, 'trunk_user') && hasValue(settings, 'trunk_password')))

/** What a carrier that does not answer is reported as: its password was not tried. */
const silence = ({ host }: Trunk, reason: string): Finding => ({
  passed: false,
  detail: `${host}: ${reason}.`,
  instead: {
    hint: `${host} does not answer: check the server name, the port, the SIP transport and the network.`,
    setting: 'trunk_host',
  },
})

const bySeverity = (findings: readonly Finding[]): Finding => {
  const worst = findings.find(({ passed, untried }) => !passed && !untried) ?? findings.find(({ passed }) => !passed)
  return worst ?? { passed: true, detail: findings.flatMap(({ detail }) => detail ?? []).join(', ') }
}

/** Whether the carrier of a trunk takes its user and password, asked by ourselves. */
async function registrationOf(trunk: Trunk, plan: LinePlan, signal: AbortSignal): Promise<Finding> {
  const { name, host, signIn } = trunk
  if (signIn === 'ip') return { passed: true, detail: `${name}: by address` }
  const answer = await askCarrier('REGISTER', trunk, plan, signal)
  if (answer.kind === 'silent') return silence(trunk, answer.reason)
  if (answer.kind === 'accepted') return { passed: true, detail: `${name}: user and password accepted` }
  if (answer.kind === 'refused') return { passed: false, detail: `${host} answered ${answer.status}.` }
  return notRun(
    `Not tested: ${host} answered ${answer.status}, which says nothing about the password. Apply the settings, then run the line test.`,
  )
}

/** What Asterisk heard of a registration; undefined while it has heard nothing, as in the second after its start. */
function registrationIn(states: readonly TrunkState[], { name }: Trunk): Finding | undefined {
  const state = states.find((each) => each.name === name)
  if (!state || state.registration === 'Unregistered') return undefined
  const { registration } = state
  return {
    passed: registration === null || registration === 'Registered',
    detail: `${name}: ${registration ?? 'by address'}`,
  }
}

export const trunkRegistered: Check['run'] = async (settings, { directory }, signal) => {
  if (!hasAccount(settings)) return needsSettings
  const plan = planOf(settings)
  const states = knownStates(plan, directory)
  const findings = plan.trunks.map(
    async (trunk) => registrationIn(states, trunk) ?? registrationOf(trunk, plan, signal),
  )
  return bySeverity(await Promise.all(findings))
}

/** Whether a carrier answers: what Asterisk saw, or else what it answers to ourselves. */
async function answerOf(trunk: Trunk, state: TrunkState | undefined, plan: LinePlan, signal: AbortSignal) {
  const { name } = trunk
  const ms = (value: number) => `${name}: ${Math.max(1, Math.round(value))} ms`
  if (state?.reachable === false) return { passed: false, detail: `${name}: silent` }
  if (state?.reachable === true)
    return { passed: true, detail: state.roundTripMs === null ? `${name}: answers` : ms(state.roundTripMs) }
  const answer = await askCarrier('OPTIONS', trunk, plan, signal)
  if (answer.kind !== 'silent') return { passed: true, detail: ms(answer.ms) }
  return state
    ? notRun('Not run: the carrier has not answered OPTIONS since Asterisk started, as many never do.')
    : { passed: false, detail: `${name}: ${answer.reason}` }
}

export const carrierAnswers: Check['run'] = async (settings, { directory }, signal) => {
  if (!hasValue(settings, 'trunk_host')) return needsSettings
  const plan = planOf(settings)
  const states = knownStates(plan, directory)
  const stateOf = ({ name }: Trunk) => states.find((each) => each.name === name)
  return bySeverity(await Promise.all(plan.trunks.map((trunk) => answerOf(trunk, stateOf(trunk), plan, signal))))
}

import type { Provider } from '@faxdeck/provider-kit'
import type { ProviderAccess } from './access.ts'
import type { Breakers, PauseReason } from './breakers.ts'

interface Parts {
  providers: Pick<ProviderAccess, 'standIn'>
  breakers: Pick<Breakers, 'pauseOf'>
}

const minuteOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
const secondOf = (at: Date) => `${at.toISOString().slice(11, 19)} UTC`

const whenItGoesOn: Record<Exclude<PauseReason, 'rate_limited'>, string> = {
  unreachable: 'New faxes wait and are sent when it responds again.',
  credentials: 'New faxes wait and are sent when it accepts the credentials. Check them under Settings.',
}

const askedForFewer = ({ name }: Pick<Provider, 'name'>) => `${name} asked for fewer faxes at a time.`

/** Why no new faxes go to a provider, and what happens to them, in one or two sentences; undefined if they do. */
export function describePause({ providers, breakers }: Parts, provider: Provider): string | undefined {
  const pause = breakers.pauseOf(provider.id)
  if (!pause) return undefined
  const { reason, since, until, why } = pause
  // A provider that asks for patience is up: nothing is sent another way for that.
  if (reason === 'rate_limited') {
    return `${why === undefined ? askedForFewer(provider) : `${provider.name}: ${why}`} New faxes wait until ${secondOf(until)}.`
  }
  const standIn = providers.standIn(provider.id)
  const faxes = standIn ? `${standIn.name} sends new faxes in the meantime.` : whenItGoesOn[reason]
  const what = reason === 'unreachable' ? 'cannot be reached' : 'has rejected our credentials'
  return `${provider.name} ${what} since ${minuteOf(since)}. ${faxes}`
}

/** The providers to which nothing is sent now. */
export const pausedProviders = ({
  providers,
  breakers,
}: {
  providers: Pick<ProviderAccess, 'providers'>
  breakers: Pick<Breakers, 'pauseOf'>
}): string[] => providers.providers.flatMap(({ id }) => (breakers.pauseOf(id) ? [id] : []))

/** Why a fax that was not tried yet waits, in a few words for its row; undefined when nothing is in its way. */
export function waitingFor(breakers: Pick<Breakers, 'pauseOf'>, { id, name }: Provider): string | undefined {
  const pause = breakers.pauseOf(id)
  if (!pause) return undefined
  const why: Record<PauseReason, string> = {
    unreachable: `${name} cannot be reached.`,
    credentials: `${name} rejected our credentials.`,
    rate_limited: pause.why ?? askedForFewer({ name }),
  }
  return `Waiting: ${why[pause.reason]}`
}

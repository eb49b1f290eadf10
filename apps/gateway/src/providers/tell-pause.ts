import type { Provider } from '@faxdeck/provider-kit'
import type { ProviderAccess } from './access.ts'
import type { Breakers } from './breakers.ts'

interface Parts {
  providers: Pick<ProviderAccess, 'standIn'>
  breakers: Pick<Breakers, 'downSince'>
}

/** Why faxes to a provider are not begun, and what becomes of them: one sentence or two; undefined when they are. */
export function tellPause({ providers, breakers }: Parts, provider: Provider): string | undefined {
  const since = breakers.downSince(provider.id)
  if (!since) return undefined
  const standIn = providers.standIn(provider.id)
  const faxes = standIn
    ? `${standIn.name} sends new faxes meanwhile.`
    : 'New faxes wait and go out when it answers again.'
  return `${provider.name} cannot be reached since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC. ${faxes}`
}

import {
  type CheckedUse,
  type Finding,
  type Host,
  isLoopbackUrl,
  type Provider,
  type ProviderSettings,
} from '@faxdeck/provider-kit'
import type { Breakers, PauseReason } from '../../base/providers/breakers.ts'
import type { ProviderAccess } from '../../base/providers/access.ts'
import { describePause } from '../../base/providers/describe-pause.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import type { Group, Probe } from '../../base/checks.ts'

/** What a provider's checks are run with. */
export interface Ground {
  provider: Provider
  settings: ProviderSettings
  host: Host
  use: CheckedUse
}

export const groundOf = (providers: ProviderAccess, provider: Provider, values: SettingsInForce): Ground => ({
  provider,
  settings: providers.settingsOf(provider),
  host: providers.probingHostOf(provider),
  use: { receiving: receivesThrough(providers, values) && providers.inbound() === provider },
})

/** A provider's own checks, those about receiving or the others. */
export function providerProbes({ provider, settings, host, use }: Ground, about: 'receiving' | 'using'): Probe[] {
  return provider.checks
    .filter((check) => (check.inbound === true) === (about === 'receiving'))
    .map((check) => ({ ...check, run: (signal) => check.run(settings, host, signal, use) }))
}

/**
 * Whether faxes are received through the chosen provider. While the test line carries everything,
 * a provider that nobody has set up is not one that fails.
 */
export function receivesThrough(providers: ProviderAccess, values: SettingsInForce): boolean {
  const inbound = providers.inbound()
  if (!values.inbound_enabled) return false
  return providers.outbound().kind !== 'builtin' || inbound.missing(providers.settingsOf(inbound)) === undefined
}

/** The providers that carry faxes now, each once. */
export function providersInUse(providers: ProviderAccess, values: SettingsInForce): Provider[] {
  const outbound = providers.outbound()
  return [...new Set(receivesThrough(providers, values) ? [outbound, providers.inbound()] : [outbound])]
}

function canSend(provider: Provider): Probe {
  return {
    name: 'can_send',
    severity: 'critical',
    hint: `${provider.name} can’t send in this version. Choose another outbound provider.`,
    setting: 'outbound_backend',
    run: () => ({ passed: provider.open !== undefined }),
  }
}

/** What is wrong, and what to do, while a provider answers and takes no fax. */
function whileItAnswers({ name, settings }: Provider): Partial<Record<PauseReason, Finding['instead']>> {
  const secret = settings.find(({ type }) => type === 'secret')?.key
  return {
    rate_limited: {
      hint: `${name} is working but asked for fewer faxes at a time, so new ones wait. No action is needed. Nothing is lost.`,
    },
    credentials: {
      hint: `${name} rejects our credentials, so new faxes wait or use the backup provider. Correct the credentials under Settings. Nothing is lost.`,
      ...(secret === undefined ? {} : { setting: secret }),
    },
  }
}

function canBeReached(providers: ProviderAccess, breakers: Breakers, provider: Provider): Probe {
  return {
    name: 'reachable',
    severity: 'warning',
    hint: `Faxes could not be sent to ${provider.name}, so new ones wait or use the backup provider. Check its status page and this machine’s internet connection. Nothing is lost.`,
    setting: 'failover_backend',
    run: () => {
      const detail = describePause({ providers: providers, breakers }, provider)
      if (detail === undefined) return { passed: true, detail: 'sending is not paused' }
      const reason = breakers.pauseOf(provider.id)?.reason
      const instead = reason && whileItAnswers(provider)[reason]
      return { passed: false, detail, ...(instead && { instead }) }
    },
  }
}

/** The HTTPS check is left out where the security group says the same; it is silent about an address of this machine. */
const isSaidBySecurity = (name: string, values: SettingsInForce) =>
  name === 'public_url_https' && values.enforce_public_https && !isLoopbackUrl(values.public_api_url)

/** A group for each provider in use. */
export function providerGroups(providers: ProviderAccess, breakers: Breakers, values: SettingsInForce): Group[] {
  return providersInUse(providers, values).map((provider) => {
    const ground = groundOf(providers, provider, values)
    const own = providerProbes(ground, 'using').map((probe): Probe =>
      isSaidBySecurity(probe.name, values)
        ? {
            ...probe,
            run: async (signal) => ({
              ...(await probe.run(signal)),
              untried: 'Not run here: the security checks say it.',
            }),
          }
        : probe,
    )
    const sending =
      provider === providers.outbound() ? [canSend(provider), canBeReached(providers, breakers, provider)] : []
    return { name: provider.id, probes: [...own, ...sending] }
  })
}

/** Whether somebody outside has to reach the public address: to fetch documents, to report, or to hand over faxes. */
export const needsPublicAddress = (users: readonly Provider[]): boolean =>
  users.some(
    ({ kind, webhooks, checks }) =>
      kind === 'cloud' ||
      (kind === 'plugin' && (webhooks.length > 0 || checks.some(({ name }) => name === 'public_url_https'))),
  )

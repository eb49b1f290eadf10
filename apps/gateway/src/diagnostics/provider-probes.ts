import type { Host, Provider, ProviderSettings } from '@faxdeck/provider-kit'
import type { Breakers } from '../providers/breakers.ts'
import type { Lines } from '../providers/lines.ts'
import { tellPause } from '../providers/tell-pause.ts'
import type { SettingsInForce } from '../settings/settings.ts'
import type { Group, Probe } from './probe.ts'

/** What a provider's checks are run with. */
export interface Ground {
  provider: Provider
  settings: ProviderSettings
  host: Host
}

export const groundOf = (lines: Lines, provider: Provider): Ground => ({
  provider,
  settings: lines.settingsOf(provider),
  host: lines.hostOf(provider),
})

/** A provider's own checks, those about receiving or the others. */
export function providerProbes({ provider, settings, host }: Ground, about: 'receiving' | 'using'): Probe[] {
  return provider.checks
    .filter((check) => (check.inbound === true) === (about === 'receiving'))
    .map((check) => ({ ...check, run: (signal) => check.run(settings, host, signal) }))
}

/**
 * Whether faxes are received through the chosen provider. While the test line carries everything,
 * a provider that nobody has set up is not one that fails.
 */
export function receivesThrough(lines: Lines, values: SettingsInForce): boolean {
  const inbound = lines.inbound()
  if (!values.inbound_enabled) return false
  return lines.outbound().kind !== 'builtin' || inbound.missing(lines.settingsOf(inbound)) === undefined
}

/** The providers that carry faxes now, each once. */
export function providersInUse(lines: Lines, values: SettingsInForce): Provider[] {
  const outbound = lines.outbound()
  return [...new Set(receivesThrough(lines, values) ? [outbound, lines.inbound()] : [outbound])]
}

function canSend(provider: Provider): Probe {
  return {
    name: 'can_send',
    severity: 'critical',
    hint: `${provider.name} cannot send in this version: choose another outbound provider.`,
    setting: 'outbound_backend',
    run: () => ({ passed: provider.open !== undefined }),
  }
}

/** Whether the faxes of late could be handed over. */
function canBeReached(lines: Lines, breakers: Breakers, provider: Provider): Probe {
  return {
    name: 'reachable',
    severity: 'warning',
    hint: `Faxes could not be handed to ${provider.name}, so new ones wait or take another way: look at its status page and at this machine's way to the Internet. Nothing is lost.`,
    setting: 'failover_backend',
    run: () => {
      const detail = tellPause({ providers: lines, breakers }, provider)
      return detail === undefined ? { passed: true } : { passed: false, detail }
    },
  }
}

/** A group for each provider in use. */
export function providerGroups(lines: Lines, breakers: Breakers, values: SettingsInForce): Group[] {
  return providersInUse(lines, values).map((provider) => ({
    name: provider.id,
    probes: [
      ...providerProbes(groundOf(lines, provider), 'using'),
      ...(provider === lines.outbound() ? [canSend(provider), canBeReached(lines, breakers, provider)] : []),
    ],
  }))
}

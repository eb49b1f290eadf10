import type { GatewayContext } from '../../base/context.ts'
import { inboundLeftBehind } from '../../inbox/inbound/overview.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import type { Group, Probe } from '../../base/checks.ts'
import { groundOf, providerProbes, receivesThrough } from './provider-probes.ts'

/** Receiving: whether it is on, through whom, and how a received fax proves where it comes from. */
export function inboundGroup(context: GatewayContext, values: SettingsInForce): Group {
  const { providers } = context
  const provider = providers.inbound()
  const { traits, name } = provider
  const enabled: Probe = {
    name: 'enabled',
    severity: 'info',
    hint: 'Receiving is off. Enable inbound to receive faxes.',
    setting: 'inbound_enabled',
    run: () => ({ passed: values.inbound_enabled }),
  }
  const canReceive: Probe = {
    name: 'can_receive',
    severity: 'warning',
    hint: `${name} can’t receive faxes. Choose another inbound provider, or turn receiving off.`,
    setting: 'inbound_backend',
    run: () => ({ passed: traits.supports_inbound }),
  }
  const nothingLeft: Probe = {
    name: 'nothing_left_behind',
    severity: 'warning',
    hint: 'A provider tried to deliver faxes while receiving was off.',
    setting: 'inbound_enabled',
    run: async () => {
      const sentences = await inboundLeftBehind(context)
      return { passed: sentences.length === 0, ...(sentences.length > 0 && { instead: { hint: sentences.join(' ') } }) }
    },
  }
  const receiving = receivesThrough(providers, values)
  return {
    name: 'inbound',
    facts: {
      enabled: values.inbound_enabled,
      backend: provider.id,
      requires_ami: traits.requires_ami,
      needs_storage: traits.supports_inbound,
      inbound_verification: traits.inbound_verification,
    },
    probes: [
      enabled,
      nothingLeft,
      ...(receiving ? [canReceive, ...providerProbes(groundOf(providers, provider, values), 'receiving')] : []),
    ],
  }
}

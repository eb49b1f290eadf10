import type { TunnelStatus } from '@faxdeck/contract'

/** The kinds of tunnel by what they are called. */
export const tunnelNames: Record<TunnelStatus['provider'], string> = {
  none: 'None',
  cloudflare: 'Cloudflare',
  wireguard: 'WireGuard',
  tailscale: 'Tailscale',
}

const kinds = Object.keys(tunnelNames) as TunnelStatus['provider'][]
export const tunnelChoices = kinds.map((value) => ({ value, label: tunnelNames[value] }))

import { settingRows } from '../row.ts'

/** The tunnel through which this gateway is meant to be reached. */
export const tunnelRows = settingRows([
  {
    type: 'switch',
    key: 'tunnel_enabled',
    env: 'TUNNEL_ENABLED',
    at: 'tunnel.enabled',
    group: 'tunnel',
    label: 'Through a tunnel',
    help: 'Whether this gateway is reached through a tunnel. Faxdeck does not start one.',
    default: false,
  },
  {
    type: 'choice',
    key: 'tunnel_provider',
    env: 'TUNNEL_PROVIDER',
    at: 'tunnel.provider',
    group: 'tunnel',
    label: 'Tunnel',
    help: 'The kind of tunnel running on this machine.',
    default: 'none',
    choices: [
      { value: 'none', label: 'None' },
      { value: 'cloudflare', label: 'Cloudflare' },
      { value: 'wireguard', label: 'WireGuard' },
      { value: 'tailscale', label: 'Tailscale' },
    ],
  },
])

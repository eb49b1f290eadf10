import { choicesOf, settingRows } from '../row.ts'

/** The tunnel through which this gateway is meant to be reached. */
export const tunnelRows = settingRows({ group: 'tunnel', at: 'tunnel' }, [
  {
    type: 'switch',
    key: 'tunnel_enabled',
    label: 'Through a tunnel',
    help: 'Whether this gateway is reached through a tunnel. Faxdeck does not start one.',
    default: false,
  },
  {
    type: 'choice',
    key: 'tunnel_provider',
    label: 'Tunnel',
    help: 'The kind of tunnel running on this machine.',
    default: 'none',
    choices: choicesOf({ none: 'None', cloudflare: 'Cloudflare', wireguard: 'WireGuard', tailscale: 'Tailscale' }),
  },
])

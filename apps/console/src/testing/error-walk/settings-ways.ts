import type { RouteName } from '@faxdeck/contract'
import { choose, enter, type Way } from './steps.ts'

const settings = 'settings/settings'
const onSecurity = () => 'security'

/** Calls of the settings, each on its page. */
export const settingsWays = {
  getSettings: { place: settings },
  describeSettings: { place: settings },
  updateSettings: {
    place: settings,
    world: onSecurity,
    steps: [enter('Allowed host names', 'fax.lan'), 'Apply & Reload'],
  },
  exportSettings: { place: settings, steps: ['Export .env'] },
  persistSettings: { place: settings, steps: ['Save .env to server'] },
  reloadSettings: {
    place: settings,
    world: onSecurity,
    steps: [enter('Allowed host names', 'fax.lan'), 'Apply & Reload'],
  },
  getTunnelStatus: { place: settings, world: onSecurity },
  configureTunnel: { place: settings, world: onSecurity, steps: [choose('Tunnel', 'WireGuard'), 'Save tunnel'] },
  testTunnel: { place: settings, world: onSecurity, steps: ['Test'] },
  pairTunnel: { place: settings, world: onSecurity, steps: ['Create a pairing code'] },
} as const satisfies Partial<Record<RouteName, Way>>

import { type Host, isLoopbackUrl, type Provider } from '@faxdeck/provider-kit'
import { askOurselves } from '../health/ask-ourselves.ts'
import type { Group } from './probe.ts'

const onlyHere = 'is an address of this machine alone'

/**
 * Whether this gateway answers under its public address. Seen from inside: a pass does not prove the way from outside.
 * @param users the providers in use; only those of the outside world need the address
 */
export function callbacksGroup(host: Host, users: readonly Provider[]): Group {
  const needed = users.some(({ kind }) => kind === 'cloud' || kind === 'plugin')
  const { publicUrl } = host
  return {
    name: 'callbacks',
    facts: { public_api_url: publicUrl },
    probes: [
      {
        name: 'public_url_reachable',
        severity: 'warning',
        hint: 'Providers cannot fetch documents and report here: set the public API URL to an https:// address that leads to this gateway from outside.',
        setting: 'public_api_url',
        run: (signal) => {
          if (!isLoopbackUrl(publicUrl)) return askOurselves(host, signal)
          if (needed) return { passed: false, detail: `${publicUrl} ${onlyHere}.` }
          return { passed: true, detail: `${publicUrl} ${onlyHere}; nobody outside needs one now.` }
        },
      },
    ],
  }
}

import { isLoopbackUrl } from '@faxdeck/provider-kit'
import type { AskOurselves } from '../../base/outgoing/ask-ourselves.ts'
import type { Group } from '../../base/checks.ts'

const onlyHere = 'can be reached from this machine only'

/**
 * Whether this gateway answers under its public address. Seen from inside: a pass does not prove the way from outside.
 * @param isNeeded whether a provider in use has to reach it
 */
export function callbacksGroup(publicUrl: string, ask: AskOurselves, isNeeded: boolean): Group {
  return {
    name: 'callbacks',
    facts: { public_api_url: publicUrl },
    probes: [
      {
        name: 'public_url_reachable',
        severity: 'warning',
        hint: 'Providers can’t fetch documents or send callbacks. Set the public API URL to an https:// address that reaches this gateway from the internet.',
        setting: 'public_api_url',
        run: async (signal) => {
          if (isLoopbackUrl(publicUrl)) {
            if (isNeeded) return { passed: false, detail: `${publicUrl} ${onlyHere}.` }
            return { passed: true, detail: `${publicUrl} ${onlyHere}; no provider needs one now.` }
          }
          const { passed, detail, hint } = await ask(publicUrl, signal)
          return { passed, detail, ...(hint !== undefined && { instead: { hint } }) }
        },
      },
    ],
  }
}

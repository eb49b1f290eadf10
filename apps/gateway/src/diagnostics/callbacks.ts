import { type Finding, type Host, isLoopbackUrl, type Provider, reasonOf } from '@faxdeck/provider-kit'
import type { Group } from './probe.ts'

const onlyHere = 'is an address of this machine alone'

async function askOurselves({ fetch, publicUrl }: Host, signal: AbortSignal): Promise<Finding> {
  try {
    const response = await fetch(`${publicUrl}/health`, { signal })
    const answer: unknown = await response.json().catch(() => undefined)
    const alive = typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'ok'
    if (response.ok && alive) return { passed: true, detail: `${publicUrl} answers from here.` }
    return {
      passed: false,
      detail: `${publicUrl}/health answered with the status ${response.status}, not as Faxdeck does.`,
    }
  } catch (error) {
    return { passed: false, detail: `${publicUrl} cannot be reached from here: ${reasonOf(error, signal)}.` }
  }
}

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

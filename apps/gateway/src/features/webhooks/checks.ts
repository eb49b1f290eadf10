import type { GatewayContext } from '../../base/context.ts'
import type { Group } from '../../base/checks.ts'
import { listStopped } from './stopped.ts'

/** Whether webhooks are still being delivered. */
export function webhooksGroup(context: Pick<GatewayContext, 'database'>): Group {
  return {
    name: 'webhooks',
    probes: [
      {
        name: 'none_stopped',
        severity: 'warning',
        hint: 'A webhook was switched off.',
        run: async () => {
          const stopped = await listStopped(context)
          const hint = stopped.map(({ sentence }) => sentence).join(' ')
          return { passed: stopped.length === 0, ...(stopped.length > 0 && { instead: { hint } }) }
        },
      },
    ],
  }
}

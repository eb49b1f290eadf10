import type { GatewayContext } from '../../base/context.ts'
import type { Group } from '../../base/checks.ts'

interface StoppedWebhook {
  /** What happened and what to do, without the address, which may hold a secret. */
  sentence: string
  /** Since when it failed. */
  since: string
}

/** The webhooks that are off because their receiver failed for days or wants no more, until a person decides about them. */
export async function listStopped({ database: { db } }: Pick<GatewayContext, 'database'>): Promise<StoppedWebhook[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['url', 'description', 'failing_since', 'disabled_reason'])
    .where('enabled', '=', 0)
    .where('disabled_reason', 'is not', null)
    .where('failing_since', 'is not', null)
    .orderBy('failing_since')
    .execute()
  return rows.map(({ url, description, failing_since: since, disabled_reason: reason }) => ({
    sentence: `The webhook “${description ?? new URL(url).host}” is off. ${reason}`,
    since: since ?? '',
  }))
}

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

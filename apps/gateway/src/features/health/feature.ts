import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { providersWith } from '../../base/providers/access.ts'
import { activityHandlers, type ActivityParts } from './activity.ts'
import { createOwnQuestion } from '../../base/outgoing/ask-ourselves.ts'
import { createLastRefusal } from './last-refusal.ts'
import { findProblem } from './problem.ts'
import { serveReadiness } from './ready.ts'
import { createHealthStatus, healthHandlers, type MeasureParts } from './routes.ts'

interface HealthOptions extends Omit<MeasureParts & ActivityParts, 'problem'> {
  version: string
}

/** Says how the gateway is, to monitors and on the dashboard. */
export function createHealth(context: GatewayContext, more: HealthOptions) {
  const { settings, providers } = context
  const refusal = createLastRefusal(context)
  settings.onChange(({ keys }) => providersWith(providers, keys).forEach(({ id }) => refusal.forget(id)))
  const problem = () => findProblem(context, refusal)
  const { ask, close } = createOwnQuestion(settings.seals.prove)
  const status = createHealthStatus(context, { ...more, problem })
  return {
    name: 'health',
    routes: { ...healthHandlers(context, { ...more, status }), ...activityHandlers(context, { ...more, problem }) },
    serve: ({ app }) => serveReadiness(app, context),
    close,
    /** The answer of the call, at most half a second old. */
    status,
    /** Whether a provider refused the credentials of its last fax. */
    refusal,
    /** Asks whether this gateway answers under its public address. */
    askOurselves: ask,
  } satisfies Feature & Record<string, unknown>
}

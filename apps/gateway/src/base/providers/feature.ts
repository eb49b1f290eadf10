import type { GatewayContext } from '../context.ts'
import type { Feature } from '../feature.ts'
import type { Lines } from './lines.ts'

/** The providers, and the lines to them, which stay open while the gateway runs. */
export function createProviders({ providers }: GatewayContext, lines: Pick<Lines, 'start' | 'close'>) {
  return {
    name: 'providers',
    routes: {
      listProviders: () => ({
        schema_version: 1,
        active: { outbound: providers.outbound().id, inbound: providers.inbound().id },
        registry: Object.fromEntries(
          providers.providers.map((provider) => {
            const { id, name, kind, traits } = provider
            const missing = provider.missing(providers.settingsOf(provider)) ?? null
            const snippets = provider.snippets ? [...provider.snippets(providers.hostOf(provider).directory)] : []
            return [id, { id, name, kind, traits, configured: missing === null, missing, snippets }]
          }),
        ),
      }),
    },
    start: () => {
      lines.start()
      return () => undefined
    },
    close: () => lines.close(),
  } satisfies Feature
}

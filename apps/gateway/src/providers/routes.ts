import type { Handlers } from '../http/handler.ts'
import type { Lines } from './lines.ts'

/** What the console needs to know of providers. */
export function providerHandlers(lines: Lines): Handlers<'listProviders'> {
  return {
    listProviders: () => ({
      schema_version: 1,
      active: { outbound: lines.outbound().id, inbound: lines.inbound().id },
      registry: Object.fromEntries(
        lines.providers.map((provider) => {
          const { id, name, kind, traits } = provider
          const missing = provider.missing(lines.settingsOf(provider))
          const snippets = provider.snippets ? [...provider.snippets(lines.hostOf(provider).directory)] : []
          return [id, { id, name, kind, traits, configured: missing === undefined, missing: missing ?? null, snippets }]
        }),
      ),
    }),
  }
}

import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { BootstrapKey } from './bootstrap.ts'
import { apiKeyHandlers } from './routes.ts'
import { endLetIn } from './end-let-in.ts'
import { readLeavings } from './leavings.ts'
import { hasKeys } from './store.ts'
import { KeyVerifier } from './verify.ts'

/** API keys: who may call. A key that is revoked or replaced by any process ends here too. */
export function createApiKeys(context: GatewayContext, first: BootstrapKey) {
  const { database, now, log } = context
  const verifier = new KeyVerifier({
    db: database.db,
    bootstrapKey: () => first.key,
    now,
    onTouchFailed: (error) => log.warn({ err: error }, 'The time of last use of a key could not be written.'),
  })
  const stopListening = database.signals.on('keys', () => {
    try {
      first.refresh()
    } catch (error) {
      log.error({ err: error }, 'The file bootstrap-key cannot be read. The bootstrap key stays as it was.')
    }
    verifier.forget()
  })
  return {
    name: 'api-keys',
    routes: apiKeyHandlers(context, { first, verifier }),
    close: stopListening,
    /** What ends together with a key or person. */
    endings: { readLeavings, endLetIn },
    /** Recognizes valid keys. */
    verifier,
    /** Whether a person gave or made a key, beyond the one that is made at the first start. */
    hasKeys: async () => first.file === null || (await hasKeys(database.db)),
  } satisfies Feature & Record<string, unknown>
}

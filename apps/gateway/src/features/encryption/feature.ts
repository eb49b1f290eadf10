import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { Storage } from '../../base/storage/storage.ts'
import { StoredEncryption } from './stored-encryption.ts'

const everyMs = 60_000

/**
 * Encrypts what was stored before, as soon as encryption is on, and wraps the keys of documents again after the master
 * key was changed. What was interrupted goes on at the next start, what failed a minute later.
 */
export function createEncryption(context: GatewayContext, places: Storage) {
  const stored = new StoredEncryption(context, places)
  return {
    name: 'encryption',
    routes: { getEncryption: () => stored.state() },
    state: stored.state,
    start: () => {
      const run = () => void stored.run()
      run()
      const timer = setInterval(run, everyMs).unref()
      const forget = context.settings.onChange(run)
      return () => {
        clearInterval(timer)
        forget()
      }
    },
    close: () => stored.close(),
  } satisfies Feature & { state: typeof stored.state }
}

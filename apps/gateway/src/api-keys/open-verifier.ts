import type { Database } from '../db/database.ts'
import type { BootstrapKey } from './bootstrap.ts'
import { KeyVerifier } from './verify.ts'

interface OpenParts {
  database: Database
  key: BootstrapKey
  now: () => number
  log: { warn: (facts: object, message: string) => void; error: (facts: object, message: string) => void }
}

/** A verifier that hears of every key that is revoked or replaced, also by other processes, until it is stopped. */
export function openVerifier({ database, key, now, log }: OpenParts): { verifier: KeyVerifier; stop: () => void } {
  const verifier = new KeyVerifier({
    db: database.db,
    bootstrapKey: () => key.key,
    now,
    onTouchFailed: (error) => log.warn({ err: error }, 'The time of last use of a key could not be written.'),
  })
  const stop = database.signals.on('keys', () => {
    try {
      key.refresh()
    } catch (error) {
      log.error({ err: error }, 'The file bootstrap-key cannot be read. The first key stays as it was.')
    }
    verifier.forget()
  })
  return { verifier, stop }
}

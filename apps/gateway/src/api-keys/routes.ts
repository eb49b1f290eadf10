import type { Database } from '../db/database.ts'
import { transact } from '../db/transact.ts'
import type { Events } from '../events/events.ts'
import type { Handlers } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import { issueKey, wireOf } from './issue.ts'
import { listKeys, replaceSecret, revokeKey } from './store.ts'
import { hashToken, newToken } from './token.ts'
import type { KeyVerifier } from './verify.ts'

export type ApiKeyRoutes = 'listApiKeys' | 'createApiKey' | 'rotateApiKey' | 'revokeApiKey'

interface ApiKeyParts {
  database: Database
  events: Pick<Events, 'apiKeyCreated' | 'apiKeyRotated' | 'apiKeyRevoked'>
  verifier: KeyVerifier
  now: () => Date
}

/** An instant in the future, in UTC. */
function expiryOf(given: string | undefined, now: Date): string | null {
  if (given === undefined) return null
  const instant = new Date(given)
  if (instant <= now) throw new Problem('invalid', 'The key would have expired already: give an instant in the future.')
  return instant.toISOString()
}

/** The life of API keys: made, replaced, ended. */
export function apiKeyHandlers({ database, events, verifier, now }: ApiKeyParts): Handlers<ApiKeyRoutes> {
  return {
    listApiKeys: async () => (await listKeys(database.db)).map(wireOf),

    createApiKey: ({ body, caller }) => {
      const { name = null, owner = null, scopes } = body
      const expires_at = expiryOf(body.expires_at, now())
      const wanted = { name, owner, scopes, expires_at, by: caller.keyId }
      return transact(database, (tx) => issueKey(tx, events, wanted, now()))
    },

    rotateApiKey: async ({ params, caller }) => {
      const token = newToken(params.id)
      const row = await transact(database, async (tx) => {
        const changed = await replaceSecret(tx, params.id, hashToken(token))
        if (!changed) throw new Problem('key_not_found')
        await events.apiKeyRotated({ key_id: params.id, by: caller.keyId }, tx)
        return changed
      })
      verifier.forget(params.id)
      return { ...wireOf(row), token }
    },

    revokeApiKey: async ({ params, caller }) => {
      await transact(database, async (tx) => {
        if (!(await revokeKey(tx, params.id, now().toISOString()))) throw new Problem('key_not_found')
        await events.apiKeyRevoked({ key_id: params.id, by: caller.keyId }, tx)
      })
      verifier.forget(params.id)
      return { status: 'ok' }
    },
  }
}

import type { ApiKey } from '@faxdeck/contract'
import type { Database } from '../db/database.ts'
import type { ApiKeyRow } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import type { Events } from '../events/events.ts'
import type { Handlers } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import { insertKey, listKeys, replaceSecret, revokeKey } from './store.ts'
import { hashToken, newKeyId, newToken } from './token.ts'
import { type KeyVerifier, scopesOf } from './verify.ts'

export type ApiKeyRoutes = 'listApiKeys' | 'createApiKey' | 'rotateApiKey' | 'revokeApiKey'

interface ApiKeyParts {
  database: Database
  events: Pick<Events, 'apiKeyCreated' | 'apiKeyRotated' | 'apiKeyRevoked'>
  verifier: KeyVerifier
  now: () => Date
}

function wireOf(row: ApiKeyRow): ApiKey {
  return {
    key_id: row.key_id,
    name: row.name,
    owner: row.owner,
    scopes: scopesOf(row),
    created_at: row.created_at,
    last_used_at: row.last_used_at,
    expires_at: row.expires_at,
  }
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

    createApiKey: async ({ body, caller }) => {
      const keyId = newKeyId()
      const token = newToken(keyId)
      const row: ApiKeyRow = {
        key_id: keyId,
        secret_sha256: hashToken(token),
        name: body.name ?? null,
        owner: body.owner ?? null,
        scopes: [...new Set(body.scopes)].join(','),
        created_at: now().toISOString(),
        last_used_at: null,
        expires_at: expiryOf(body.expires_at, now()),
        revoked_at: null,
      }
      await transact(database, async (tx) => {
        await insertKey(tx, row)
        await events.apiKeyCreated({ key_id: keyId, owner: row.owner, scopes: scopesOf(row), by: caller.keyId }, tx)
      })
      return { ...wireOf(row), token }
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

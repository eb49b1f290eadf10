import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { type BootstrapKey, isBootstrapId } from './bootstrap.ts'
import { endLetIn, readLeavings } from './end-let-in.ts'
import { hasKeys, findKey, listKeys, replaceSecret, revokeKey } from './store.ts'
import { KeyVerifier } from './verify.ts'
import { type ApiKey, scopes } from '@faxdeck/contract'
import { endingOf, takeBackSetUp } from '../actors/ending.ts'
import { actorIdOf } from '../actors/person-id.ts'
import { assertIssuer } from '../actors/still-good.ts'
import type { Tx, Reader } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import type { Handlers } from '../../base/http/handler.ts'
import type { ReceivedLimit } from '../../base/http/callers/keys.ts'
import { spellNumber } from '../../base/number.ts'
import { requireGroups } from '../groups/group-of.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { issueKey, wireOf } from './issue.ts'
import { readLetIn } from './let-in.ts'
import { hashToken, newToken } from './token.ts'

interface ApiKeyParts {
  /** The installation's own key, which is in no list. */
  first: BootstrapKey
  verifier: KeyVerifier
}

type NewKey = Parameters<Handlers['createApiKey']>[0]['body']

function expiryOf(given: string | undefined, now: Date): string | null {
  if (given === undefined) return null
  const instant = new Date(given)
  if (instant <= now) throw new Problem('invalid', 'The expiration is in the past. Choose a time in the future.')
  return instant.toISOString()
}

/**
 * The received faxes that a new key is limited to; undefined for no limit.
 * @throws {Problem} `invalid` where nothing would be left to see, or a limit would have no effect; `group_not_found`
 */
async function readLimit(
  { settings }: GatewayContext,
  tx: Tx,
  { received_only: limit, scopes: granted }: NewKey,
): Promise<ReceivedLimit | undefined> {
  if (!limit) return undefined
  const refuse = (detail: string) => new Problem('invalid', detail)
  if (granted.includes('keys:manage'))
    throw refuse('A key with keys:manage sees all faxes. Leave out received_only, or the scope.')
  if (!granted.includes('inbound:list') && !granted.includes('inbound:read'))
    throw refuse('This key has no scope for received faxes, so there is nothing to limit. Leave out received_only.')
  const { groups, numbers } = limit
  if (groups.length + numbers.length === 0)
    throw refuse('Name at least one group or number in received_only, or leave it out.')
  await requireGroups(tx, groups)
  const country = settings.current().default_country
  return { groups: [...new Set(groups)], numbers: [...new Set(numbers.map((each) => spellNumber(each, country)))] }
}

/** @throws {Problem} `invalid` where a key could not, or need not, be made to delete received faxes */
function assertDeletes(body: NewKey): void {
  const { received_delete: deletes, received_only: limit, scopes: granted, fax_access: access } = body
  const refuse = (detail: string) => new Problem('invalid', detail)
  if (!deletes) return
  if (granted.includes('keys:manage'))
    throw refuse('A key with keys:manage can delete received faxes from the admin networks. Leave out received_delete.')
  if (!granted.includes('inbound:read'))
    throw refuse('A key that deletes received faxes must be able to open them. Add the scope inbound:read.')
  if (access === 'own' && !limit)
    throw refuse(
      'This key sees no received faxes. Choose what it sees with received_only, or leave out received_delete.',
    )
}

const firstStays =
  'The bootstrap key is not in the list and cannot be revoked, only replaced. Log in with it and rotate it. Or stop the gateway, delete the file bootstrap-key in the data directory, and start it again.'

/** What ends with a token in the same transaction, pairing codes among it. Every process is notified. */
async function endedBy(tx: Tx, { database, moments }: GatewayContext, keyId: string): Promise<void> {
  for (const end of moments.tokenEnded) await end(tx, keyId)
  await database.signals.notify(tx, 'keys')
}

/**
 * Replaces the token of the first key in its file. Only its own holder may: another key that could would keep the new
 * token after it was revoked itself.
 */
async function rotateFirst(context: GatewayContext, { first, verifier }: ApiKeyParts, id: string, by: string) {
  const { database, events, now } = context
  if (by !== 'bootstrap')
    throw new Problem(
      'forbidden',
      'Only the bootstrap key itself can be used to replace it. It is in the file bootstrap-key in the data directory.',
    )
  const token = newToken(id)
  await transact(database, async (tx) => {
    await endedBy(tx, context, 'bootstrap')
    await events.apiKeyRotated({ key_id: 'bootstrap', by }, tx)
    first.replace(token)
  })
  verifier.forget()
  const key = {
    key_id: id,
    name: 'Bootstrap key',
    owner: null,
    scopes: [...scopes],
    fax_access: 'all' as const,
    received_only: null,
    received_delete: false,
  }
  return {
    ...key,
    created_at: now().toISOString(),
    last_used_at: null,
    expires_at: null,
    issued_by: 'bootstrap',
    token,
  }
}

async function keysWithIssuers(db: Reader): Promise<ApiKey[]> {
  const [rows, letIn] = [await listKeys(db), await readLetIn(db)]
  return rows.map((row) => wireOf(row, letIn.keys.get(row.key_id)?.by ?? null))
}

function revokeOf(context: GatewayContext, { first, verifier }: ApiKeyParts): Handlers['revokeApiKey'] {
  const { database, events, settings, now } = context
  return async ({ params, query, caller }) => {
    if (isBootstrapId(first, params.id)) throw new Problem('key_not_found', firstStays)
    const ended = await transact(database, async (tx) => {
      if (!(await revokeKey(tx, params.id, now().toISOString()))) throw new Problem('key_not_found')
      await events.apiKeyRevoked({ key_id: params.id, by: caller.keyId }, tx)
      const about = { start: params.id, ending: endingOf(query), by: caller.keyId }
      const { keys, suspended, demoted } = await endLetIn(context, tx, about)
      const ids = [params.id, ...keys, ...[...suspended, ...demoted].map(actorIdOf)]
      await database.signals.notify(tx, 'keys')
      const taken = await takeBackSetUp(context, tx, ids, caller.keyId)
      return { revoked: [params.id, ...keys], ...taken, people_suspended: suspended, people_demoted: demoted }
    })
    verifier.forget()
    await settings.reread()
    return { status: 'ok', ...ended }
  }
}

/** The life of API keys: made, replaced, ended. */
export function apiKeyHandlers(context: GatewayContext, parts: ApiKeyParts) {
  const { database, events, now } = context
  const { first, verifier } = parts
  return {
    listApiKeys: () => keysWithIssuers(database.db),

    createApiKey: ({ body, caller }) => {
      const { name = null, owner = null, scopes, fax_access, received_delete } = body
      assertDeletes(body)
      const expires_at = expiryOf(body.expires_at, now())
      const wanted = { name, owner, scopes, fax_access, received_delete, expires_at, by: caller.keyId }
      return transact(database, async (tx) => {
        const received_only = await readLimit(context, tx, body)
        return issueKey(tx, events, { ...wanted, received_only }, now())
      })
    },

    rotateApiKey: async ({ params, caller }) => {
      if (isBootstrapId(first, params.id)) return rotateFirst(context, parts, params.id, caller.keyId)
      const token = newToken(params.id)
      const row = await transact(database, async (tx) => {
        const changed = await replaceSecret(tx, params.id, hashToken(token))
        if (!changed) throw new Problem('key_not_found')
        await assertIssuer(tx, caller.keyId, now())
        await endedBy(tx, context, params.id)
        await events.apiKeyRotated({ key_id: params.id, by: caller.keyId }, tx)
        return changed
      })
      verifier.forget()
      return { ...wireOf(row, caller.keyId), token }
    },

    revokeApiKey: revokeOf(context, parts),

    getKeyLeavings: async ({ params, query, caller }) => {
      if (!(await findKey(database.db, params.id))) throw new Problem('key_not_found')
      return readLeavings(context, { start: params.id, ending: endingOf(query), by: caller.keyId })
    },
  } satisfies Partial<Handlers>
}

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

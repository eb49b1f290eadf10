import { type ApiKey, type FaxAccess, maskNumber, type Scope } from '@faxdeck/contract'
import type { Tx } from '../../base/db/database.ts'
import type { ApiKeyRow } from '../../base/db/tables/keys.ts'
import type { Events } from '../../base/events/events.ts'
import type { ReceivedLimit } from '../../base/http/callers/keys.ts'
import { assertIssuer } from '../actors/still-good.ts'
import { insertKey } from './store.ts'
import { hashToken, newKeyId, newToken } from './token.ts'
import { heldBy, limitOf, scopesOf } from './verify.ts'

export interface WantedKey {
  name: string | null
  owner: string | null
  scopes: readonly Scope[]
  fax_access: FaxAccess
  /** The received faxes that it is limited to. */
  received_only?: ReceivedLimit | undefined
  /** Whether it may delete the documents of the received faxes that it sees. */
  received_delete?: boolean
  /** ISO 8601 in UTC; null lives until it is revoked. */
  expires_at: string | null
  /** The key or person that asks for it. */
  by: string
}

/** A key as the wire shows it: without its secret. */
export function wireOf(row: ApiKeyRow, issuedBy: string | null): ApiKey {
  const limit = limitOf(row)
  return {
    key_id: row.key_id,
    name: row.name,
    owner: row.owner,
    scopes: scopesOf(row),
    fax_access: heldBy(row).faxAccess,
    received_only: limit && { groups: [...limit.groups], numbers: [...limit.numbers] },
    received_delete: row.received_delete === 1,
    created_at: row.created_at,
    last_used_at: row.last_used_at,
    expires_at: row.expires_at,
    issued_by: issuedBy,
  }
}

/** The numbers are masked where they are stored. */
const limitFacts = ({ groups, numbers }: ReceivedLimit) => [
  ...groups.map((id) => `group ${id}`),
  ...numbers.map((number) => `to ${maskNumber(number)}`),
]

/**
 * Makes a key, in a transaction of the caller. Its token is in this answer and nowhere else.
 * @throws {Problem} `unauthorized` when who asks for it has ended meanwhile
 */
export async function issueKey(
  tx: Tx,
  events: Pick<Events, 'apiKeyCreated'>,
  { name, owner, scopes, fax_access, received_only: limit, received_delete = false, expires_at, by }: WantedKey,
  now: Date,
): Promise<ApiKey & { token: string }> {
  await assertIssuer(tx, by, now)
  const keyId = newKeyId()
  const token = newToken(keyId)
  const row: ApiKeyRow = {
    key_id: keyId,
    secret_sha256: hashToken(token),
    name,
    owner,
    scopes: [...new Set(scopes)].join(','),
    fax_access,
    received_only: limit ? JSON.stringify(limit) : null,
    received_delete: Number(received_delete),
    created_at: now.toISOString(),
    last_used_at: null,
    expires_at,
    revoked_at: null,
  }
  await insertKey(tx, row)
  await events.apiKeyCreated(
    {
      key_id: keyId,
      owner,
      scopes: scopesOf(row),
      fax_access,
      ...(limit ? { received_only: limitFacts(limit) } : {}),
      ...(received_delete ? { received_delete } : {}),
      by,
    },
    tx,
  )
  return { ...wireOf(row, by), token }
}

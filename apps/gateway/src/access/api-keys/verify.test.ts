import { expect, it } from 'vitest'
import { transact } from '../../base/db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { insertKey, revokeKey } from './store.ts'
import { hashToken, newKeyId, newToken } from './token.ts'
import { KeyVerifier } from './verify.ts'

onEachDatabase((open) => {
  it('a key that another process revoked ends within seconds, also when the clock is set back a day', async () => {
    const database = await open()
    const { db } = database
    const keyId = newKeyId()
    const token = newToken(keyId)
    const clock = { ms: Date.parse('2026-03-02T12:00:00.000Z') }
    const row = {
      key_id: keyId,
      secret_sha256: hashToken(token),
      name: 'a',
      owner: null,
      scopes: 'fax:read',
      fax_access: 'own' as const,
      received_only: null,
      received_delete: 0,
    }
    const times = { created_at: new Date(clock.ms).toISOString(), last_used_at: null, expires_at: null }
    await transact(database, (tx) => insertKey(tx, { ...row, ...times, revoked_at: null }))
    const now = () => new Date(clock.ms)
    const verifier = new KeyVerifier({ db, bootstrapKey: () => 'other', now, onTouchFailed: () => undefined })
    expect(await verifier.verify(token)).toMatchObject({ keyId })
    await transact(database, (tx) => revokeKey(tx, keyId, times.created_at))
    expect(await verifier.verify(token)).toMatchObject({ keyId })
    clock.ms -= 86_400_000
    expect(await verifier.verify(token)).toBeUndefined()
  })
})

import { expect, it } from 'vitest'
import { transact } from '../db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { takeBackSaved } from './feature.ts'

onEachDatabase((open) => {
  it('what somebody else saved in the meantime is not taken back', async () => {
    const database = await open()
    const at = '2026-03-01T12:00:00.000Z'
    const row = { value: '"https://good.example"', sealed: 0, updated_at: at, updated_by: 'good' }
    await database.db
      .insertInto('saved_settings')
      .values({ key: 'oauth_issuer', ...row })
      .execute()
    const how = { ended: new Set(['bad']), by: 'bootstrap', now: new Date(at) }
    await transact(database, (tx) => takeBackSaved(tx, ['oauth_issuer'], how))
    const rows = database.db
      .selectFrom('saved_settings')
      .select(['value', 'updated_by'])
      .where('key', '=', 'oauth_issuer')
    expect(await rows.execute()).toEqual([{ value: '"https://good.example"', updated_by: 'good' }])
  })
})

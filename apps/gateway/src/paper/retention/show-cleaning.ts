import type { Retention } from '@faxdeck/contract'
import { readKeyNames } from '../../access/actors/key-names.ts'
import type { GatewayContext } from '../../base/context.ts'
import { readCleaning } from './cleaning-state.ts'
import { noticeMs } from './rules.ts'

/** What people see of it. */
export async function showCleaning({ database }: Pick<GatewayContext, 'database'>): Promise<Retention['cleaning']> {
  const { believed_at, paused_at, paused_by, announced_at, announced } = await readCleaning(database.db)
  const names = paused_by === null ? undefined : await readKeyNames(database, [paused_by])
  return {
    believed_at,
    paused_at,
    paused_by_name: names?.get(paused_by ?? '') ?? paused_by,
    announced,
    deletes_at: announced_at && new Date(Date.parse(announced_at) + noticeMs).toISOString(),
  }
}

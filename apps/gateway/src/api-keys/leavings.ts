import type { Leavings } from '@faxdeck/contract'
import type { Kysely } from 'kysely'
import type { GatewayContext } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { Tables } from '../db/tables/tables.ts'
import { installedByEnded, takeBackManifests } from '../plugins/take-back.ts'
import { takeBackSaved } from '../settings/take-back.ts'
import { readRevoked } from '../settings/versions.ts'
import { endCodesOf } from '../tunnel/end-codes.ts'
import { heldByEnded, pauseWebhooks } from '../webhooks/take-back.ts'

/** What keys leave behind that could let their holder in again, or send data to them. */
export async function readLeavings(
  { settings }: GatewayContext,
  db: Kysely<Tables> | Tx,
  ids: readonly string[],
): Promise<Leavings> {
  const rows = new Map(settings.rows.map((row) => [row.key, row]))
  const saved = await settings.savedBy(db, ids)
  return {
    settings: saved.map((key) => ({ key, label: rows.get(key)?.label ?? key })),
    plugins: (await installedByEnded(db, ids)).map((id) => ({ id })),
    webhooks: await heldByEnded(db, ids),
  }
}

/**
 * Takes it back, in the transaction that revokes the keys. Lines of faxdeck.env follow with `settings.reread`, which
 * every process does for its own file.
 */
export async function takeBackLeavings(
  context: GatewayContext,
  tx: Tx,
  ids: readonly string[],
  by: string,
): Promise<{ settings_undone: string[]; plugins_undone: string[]; webhooks_paused: string[] }> {
  const { database, events } = context
  const leavings = await readLeavings(context, tx, ids)
  const undone = leavings.settings.map(({ key }) => key)
  const plugins = leavings.plugins.map(({ id }) => id)
  const paused = leavings.webhooks.map(({ id }) => id)
  const how = { ended: new Set([...ids, ...(await readRevoked(tx))]), by, now: context.now() }
  await takeBackSaved(tx, undone, how)
  await takeBackManifests(tx, plugins, how)
  await pauseWebhooks(tx, paused)
  for (const id of ids) await endCodesOf(tx, id)
  if (undone.length > 0) await events.settingsUndone({ key_id: by, changed: undone, saved_by: ids }, tx)
  const removed = plugins.map((plugin) => ({ key_id: by, plugin, installed_by: ids }))
  await events.pluginRemoved(removed, tx)
  const stopped = paused.map((webhook) => ({ webhook, key_id: by }))
  await events.webhookStopped(stopped, tx)
  for (const subject of ['settings', 'webhooks'] as const) await database.signals.notify(tx, subject)
  return { settings_undone: undone, plugins_undone: plugins, webhooks_paused: paused }
}

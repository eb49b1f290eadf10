import type { Leavings } from '@faxdeck/contract'
import type { Kysely } from 'kysely'
import type { GatewayContext } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { Tables } from '../db/tables/tables.ts'
import { stateOf } from '../people/change-person.ts'
import { actorIdOf } from '../people/person-id.ts'
import { installedByEnded, takeBackManifests } from '../plugins/take-back.ts'
import { takeBackSaved } from '../settings/take-back.ts'
import { readRevoked } from '../settings/versions.ts'
import { endCodesOf } from '../tunnel/end-codes.ts'
import { heldByEnded, pauseWebhooks } from '../webhooks/take-back.ts'
import { chosenOf, type EndingOf, findLetIn, previewEnded } from './end-let-in.ts'
import { readKeyNames } from './key-names.ts'

/** What keys and people set up that could let them in again, or send data to them. */
async function readSetUp({ settings }: GatewayContext, db: Kysely<Tables> | Tx, ids: readonly string[]) {
  const rows = new Map(settings.rows.map((row) => [row.key, row]))
  const saved = await settings.savedBy(db, ids)
  return {
    settings: saved.map((key) => ({ key, label: rows.get(key)?.label ?? key })),
    plugins: (await installedByEnded(db, ids)).map((id) => ({ id })),
    webhooks: await heldByEnded(db, ids),
  }
}

/** The keys and people whom a key or person let in, each with what they were given, when and by whom. */
async function readAdmitted({ database }: GatewayContext, about: EndingOf) {
  const { start, by: caller } = about
  const found = await findLetIn(database.db, start)
  const { letIn, all, keys, people } = found
  const ending = chosenOf(found, { ...about, ending: { ...about.ending, issued: 'revoke' } })
  const names = await readKeyNames(database, [start, ...all])
  const byOf = (id: string) => ({ id, name: names.get(id) ?? null })
  return {
    keys: keys.map(({ key_id, name, created_at }) => {
      const { by, at } = letIn.keys.get(key_id) ?? { by: start, at: created_at }
      return { key_id, name, at, by: byOf(by), stays: !ending.keys.some((each) => each.key_id === key_id) }
    }),
    people: people.map((row) => {
      const { id, name, email, role } = row
      const given = (letIn.people.get(id) ?? []).filter(({ by }) => by === start || all.has(by))
      const shown = given.map(({ by, ...each }) => ({ ...each, by: byOf(by) }))
      return { id, name, email, role, state: stateOf(row), is_you: caller === actorIdOf(id), given: shown }
    }),
  }
}

/** What a key or person leaves behind: whom they let in, and what they and those who would end with them set up. */
export async function readLeavings(context: GatewayContext, about: EndingOf): Promise<Leavings> {
  const { db } = context.database
  const setUp = await readSetUp(context, db, [about.start, ...(await previewEnded(db, about))])
  return { ...setUp, ...(await readAdmitted(context, about)) }
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
  const setUp = await readSetUp(context, tx, ids)
  const undone = setUp.settings.map(({ key }) => key)
  const plugins = setUp.plugins.map(({ id }) => id)
  const paused = setUp.webhooks.map(({ id }) => id)
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

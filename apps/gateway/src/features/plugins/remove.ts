import { Problem } from '../../base/http/answers/problem.ts'
import type { GatewayContext } from '../../base/context.ts'
import { outboundOf } from './list.ts'
import { writeManifest } from './store.ts'
import type { PluginContext } from './installed.ts'

async function faxesUnderWay({ database }: GatewayContext, id: string): Promise<number> {
  const { jobs } = await database.db
    .selectFrom('job_counts')
    .select((eb) => eb.fn.sum<number | string | null>('jobs').as('jobs'))
    .where('backend', '=', id)
    .where('status', 'in', ['queued', 'in_progress'])
    .executeTakeFirstOrThrow()
  return Number(jobs ?? 0)
}

/**
 * Removes an installed manifest, and the settings entered for it.
 * @throws {Problem} `plugin_not_found`, or `conflict` while faxes go or may go through it
 */
export async function removePlugin(context: PluginContext, id: string, keyId: string): Promise<void> {
  const { plugins, settings, events, now } = context
  const plugin = plugins.find(id)
  if (!plugin) {
    if (!plugins.isBuiltin(id)) throw new Problem('plugin_not_found')
    throw new Problem('conflict', 'It is built in and cannot be removed.')
  }
  const { inbound_backend, backend } = settings.current()
  const chosen = outboundOf(context)
  if ([chosen.now, chosen.next, inbound_backend ?? backend, backend].includes(id)) {
    throw new Problem('conflict', 'It is in use. Choose another provider first.')
  }
  const faxes = await faxesUnderWay(context, id)
  if (faxes > 0) throw new Problem('conflict', `${faxes} of its faxes have not ended yet. Remove it once they have.`)
  const { saved } = settings.layers()
  const kept = plugin.provider.settings.filter(({ key }) => Object.hasOwn(saved, key)).map(({ key }) => [key, null])
  await settings.save(Object.fromEntries(kept) as Record<string, null>, keyId, async (tx) => {
    await writeManifest(tx, { id, text: null }, { keyId, now: now() })
    await events.pluginRemoved({ key_id: keyId, plugin: id }, tx)
  })
}

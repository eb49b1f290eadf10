import { routes, type Settings as SettingsAnswer } from '@faxdeck/contract'
import {
  describe,
  exportEnv,
  type FieldProblem,
  toAnswer,
  validateEnvFile,
  validatePatch,
  type Values,
} from '@faxdeck/settings'
import type { GatewayContext } from '../context.ts'
import type { Database, Tx } from '../db/database.ts'
import { databaseFacts } from '../db/facts.ts'
import { probeDatabase } from '../db/probe.ts'
import type { Feature } from '../feature.ts'
import type { Handlers } from '../http/handler.ts'
import { Problem } from '../http/answers/problem.ts'
import { adoptNextOutbound, markProblems, withoutStaleMark } from './adopt-next.ts'
import type { LiveSettings } from './live-settings.ts'
import { requireDataDirectory } from './data-directory.ts'
import { changesToFile, settingsFile } from './settings-file.ts'
import type { KeyEnding } from '../moments.ts'
import { nextRevision } from './store.ts'
import { newestBeside, readVersions } from './versions.ts'

/** Puts back what others saved before, or clears. */
export async function takeBackSaved(
  tx: Tx,
  keys: readonly string[],
  { ended, by, now }: Omit<KeyEnding, 'ids'>,
): Promise<void> {
  const updatedAt = await nextRevision(tx, now)
  const versions = await readVersions(tx, 'database')
  for (const key of keys) {
    const earlier = newestBeside(versions.get(key), ended)
    const { value, sealed, saved_by } = earlier ?? { value: 'null', sealed: 0, saved_by: by }
    const change = { value, sealed, updated_at: updatedAt, updated_by: saved_by }
    const theirs = tx
      .updateTable('saved_settings')
      .set(change)
      .where('updated_by', 'in', [...ended])
    await theirs.where('key', '=', key).execute()
  }
}

/** Takes back what keys saved. Lines of faxdeck.env follow with `reread`, which every process does for its own file. */
function holdSettings({ database, settings, events, moments }: GatewayContext): void {
  moments.keyEnded.settings = {
    find: async (db, ids) => {
      const rows = new Map(settings.rows.map((row) => [row.key, row]))
      return (await settings.savedBy(db, ids)).map((key) => ({ key, label: rows.get(key)?.label ?? key }))
    },
    takeBack: async (tx, saved, ending) => {
      const changed = saved.map(({ key }) => key)
      await takeBackSaved(tx, changed, ending)
      if (changed.length > 0) await events.settingsUndone({ key_id: ending.by, changed, saved_by: ending.ids }, tx)
      await database.signals.notify(tx, 'settings')
    },
  }
}

/** The settings as GET /admin/settings shows them, with the providers that are really in use. */
function answerOf(context: GatewayContext): SettingsAnswer {
  const { settings, providers } = context
  const values = settings.current()
  const answer = toAnswer(settings.rows, values)
  const inForce = {
    outbound_backend: values.outbound_backend ?? values.backend,
    inbound_backend: values.inbound_backend ?? values.backend,
  }
  return routes.getSettings.reply.parse({
    ...answer,
    ...configuredGroups(answer, context),
    hybrid: { ...groupOf(answer, 'hybrid'), ...inForce },
    inbound: { ...groupOf(answer, 'inbound'), needs_storage: providers.inbound().traits.supports_inbound },
  })
}

/** The group of each provider with whether it has all it needs: of a masked secret nobody sees whether it is set. */
function configuredGroups(answer: Record<string, unknown>, { settings, providers }: GatewayContext): object {
  const groups = providers.providers.flatMap((provider) => {
    const places = settings.rows.filter((row) => row.provider === provider.id).map(({ at }) => at?.split('.')[0])
    const name = places.find((place) => place !== undefined && place in answer && place !== 'inbound')
    if (name === undefined) return []
    const configured = provider.missing(providers.settingsOf(provider)) === undefined
    return [[name, { ...groupOf(answer, name), configured }] as const]
  })
  return Object.fromEntries(groups)
}

function groupOf(answer: Record<string, unknown>, name: string): object {
  const group = answer[name]
  return typeof group === 'object' && group !== null ? group : {}
}

/**
 * Tries another database before its address is kept: a wrong one would keep the next start from happening.
 * @throws {Problem} invalid
 */
async function assertUsable(settings: LiveSettings, url: unknown): Promise<void> {
  const isAnother = typeof url === 'string' && url !== settings.current().database_url
  if (!isAnother || settings.bootSources().byProcess.has('database_url')) return
  const message = await probeDatabase(url)
  if (message) throw new Problem('invalid', message, { fields: [{ field: 'database_url', message }] })
}

/** @throws {Problem} `invalid`, all at once */
function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return
  const said = problems.map(({ field, message }) => `${field}: ${message}`).join(' ')
  throw new Problem('invalid', said, { fields: [...problems] })
}

function updateOf(context: GatewayContext): Handlers['updateSettings'] {
  const { settings, events } = context
  return async ({ body, caller }) => {
    const { values, problems } = validatePatch(settings.rows, body)
    refuse([...problems, ...markProblems(context, values)])
    await assertUsable(settings, values.database_url)
    const before = settings.current()
    const changed = Object.keys(values)
    if (changed.length > 0) {
      const stored = withoutStaleMark(values)
      await settings.save(stored, caller.keyId, (tx) => events.settingsChanged({ key_id: caller.keyId, changed }, tx))
    }
    const after = settings.current()
    const restart = settings.rows.some((row) => row.restart && before[row.key] !== after[row.key])
    return { ...answerOf(context), _meta: { restart_recommended: restart, changed } }
  }
}

/** The values that a file brings. @throws {Problem} `invalid` for whatever PUT /admin/settings would refuse as well */
function valuesOfFile(settings: LiveSettings, content: string): Values {
  const { values, problems } = validateEnvFile(settings.rows, content)
  refuse(problems)
  settings.assertKeepable(values)
  return values
}

function persistOf({ settings, events }: GatewayContext): Handlers['persistSettings'] {
  return async ({ body, caller }) => {
    await requireDataDirectory(settings.current().fax_data_dir)
    const path = await settingsFile(settings.current().fax_data_dir, body.path)
    const values = body.content === undefined ? settings.current() : valuesOfFile(settings, body.content)
    await assertUsable(settings, values.database_url)
    const changes = await changesToFile(settings.rows, path, values)
    if (body.dry_run) return { ok: true, path, changes }
    await settings.persist(path, values, caller.keyId)
    await events.settingsPersisted({ key_id: caller.keyId })
    return { ok: true, path, changes }
  }
}

async function databaseStatus(database: Database) {
  const base = { url: database.shownUrl, engine: database.engine }
  try {
    return { ...base, connected: true, error: null, ...(await databaseFacts(database)) }
  } catch (error) {
    return { ...base, connected: false, error: error instanceof Error ? error.message : 'unknown', counts: {} }
  }
}

function settingsHandlers(context: GatewayContext, restart: () => void) {
  const { settings, database, events } = context
  return {
    getSettings: () => answerOf(context),
    describeSettings: () => ({ rows: describe(settings.rows, settings.layers(), settings.bootSources()) }),
    updateSettings: updateOf(context),
    exportSettings: async ({ query, caller }) => {
      const secrets = query.secrets === 'true'
      if (secrets) await events.settingsExported({ key_id: caller.keyId, secrets })
      return { env_content: exportEnv(settings.rows, settings.current(), { secrets }) }
    },
    persistSettings: persistOf(context),
    reloadSettings: async ({ caller }) => {
      await settings.reload()
      refuse(await adoptNextOutbound(context, caller.keyId))
      return answerOf(context)
    },
    restart: async ({ caller }) => {
      if (!settings.current().admin_allow_restart) throw new Problem('restart_refused')
      await events.restartRequested({ key_id: caller.keyId })
      restart()
      return { ok: true }
    },
    getDbStatus: () => databaseStatus(database),
  } satisfies Partial<Handlers>
}

/**
 * The settings, kept in step with those of other processes.
 * @param restart drains and ends the process, so that a supervisor starts it again
 */
export function createSettings(context: GatewayContext, restart: () => void) {
  holdSettings(context)
  return {
    name: 'settings',
    routes: settingsHandlers(context, restart),
    start: () => context.settings.follow(),
  } satisfies Feature
}

import { createDocuments } from '@faxdeck/documents'
import type { Provider } from '@faxdeck/provider-kit'
import type { Environment } from '@faxdeck/settings'
import type { Logger } from 'pino'
import { bootstrapKey } from './api-keys/bootstrap.ts'
import { Events } from './events/events.ts'
import { Counters } from './metrics/counts.ts'
import { openDatabase } from './open-database.ts'
import { openDocuments } from './open-documents.ts'
import { openPlugins } from './plugins/open-plugins.ts'
import { adoptNextOutbound } from './settings/adopt-next.ts'
import { prepareDataDirectory } from './settings/data-directory.ts'
import { dataDirectoryOf } from './settings/environment.ts'
import { environmentBeforePlugins, openSettings } from './settings/open-settings.ts'
import { allRows } from './settings/rows.ts'

interface PartsOptions {
  env: Environment
  log: Logger
  now?: () => Date
  createDocuments?: typeof createDocuments
}

export type Parts = Awaited<ReturnType<typeof openParts>>

/**
 * What every feature builds on: data directory, database, settings, key, audit trail, documents.
 * @throws {StartProblem} with everything that stands in the way, as sentences
 */
export async function openParts(options: PartsOptions, providers: readonly Provider[]) {
  const { env, log, now = () => new Date() } = options
  const rows = allRows(providers)
  const directory = dataDirectoryOf(env)
  prepareDataDirectory(directory)
  const { values } = environmentBeforePlugins(rows, env)
  const { database, close } = await openDatabase(String(values.database_url), {
    watch: (reason) => {
      if (reason === undefined) log.info('The database can be reached again; work goes on.')
      else log.warn({ reason }, 'The database cannot be reached. Calls are answered with 503 until it is back.')
    },
  })
  try {
    const allowLoopback = values.feature_loopback_plugins === true
    const { plugins, readRows } = await openPlugins({ database, builtin: providers, allowLoopback, log })
    const settings = await openSettings({ rows: await readRows(), readRows, env, database, now, log })
    const key = bootstrapKey(settings.current().api_key, directory)
    const events = new Events(database, now)
    const counters = new Counters(events)
    await adoptNextOutbound(database, settings, events, 'start')
    return {
      database,
      close,
      settings,
      plugins,
      key,
      events,
      counters,
      directory,
      log,
      now,
      ...openDocuments({
        create: options.createDocuments ?? createDocuments,
        directory,
        settings,
        counters,
        providers: plugins.providers,
      }),
    }
  } catch (error) {
    await close()
    throw error
  }
}

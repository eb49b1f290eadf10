import { createDocuments, planMemory } from '@faxdeck/documents'
import type { Provider } from '@faxdeck/provider-kit'
import type { Environment, Values } from '@faxdeck/settings'
import type { Logger } from 'pino'
import { actorNames } from '../access/actors/actor-names.ts'
import { type BootstrapKey, bootstrapKey } from '../access/api-keys/bootstrap.ts'
import { refuseShortKey } from '../access/api-keys/short-key.ts'
import { assertStillGood } from '../access/actors/still-good.ts'
import { readLastBackup } from '../base/backups/last-backup.ts'
import type { GatewayContext } from '../base/context.ts'
import type { Database } from '../base/db/database.ts'
import { HomeWatch } from '../base/db/home.ts'
import { untilBack } from '../base/db/outage.ts'
import { Events } from '../base/events/events.ts'
import { createTrail } from '../base/events/trail.ts'
import { report } from '../fax/line/report.ts'
import { receiveFax } from '../inbox/inbound/receive.ts'
import { createMoments } from '../base/moments.ts'
import { Counters } from '../base/events/counters.ts'
import { type InstalledPlugins, openPlugins } from '../features/plugins/installed.ts'
import { Breakers } from '../base/providers/breakers.ts'
import { Lines } from '../base/providers/lines.ts'
import { createQueue } from '../base/queue/create-queue.ts'
import { adoptNextOutbound } from '../base/settings/adopt-next.ts'
import { documentsIn, prepareDataDirectory } from '../base/settings/data-directory.ts'
import { dataDirectoryOf } from '../base/settings/environment.ts'
import { environmentBeforePlugins, openSettings } from '../base/settings/open-settings.ts'
import { allRows } from '../base/settings/rows.ts'
import { createLocalStorage } from '../base/storage/local.ts'
import { respellNumbers } from './respelling/respell.ts'
import { openDocumentKeys, openStorage } from './open-storage.ts'
import { encryptStorage } from '../base/encryption/encrypt-storage.ts'
import { DocumentMemory } from '../base/storage/document-memory.ts'
import type { Storage } from '../base/storage/storage.ts'
import { createMissing, type MissingDocuments, noteMissing } from '../base/storage/missing.ts'
import { noteDataDirectory, refuseLostData } from './former-installation.ts'
import { settleRestore } from './interrupted-restore.ts'
import { openDatabase } from './open-database.ts'
import { openDocuments } from './open-documents.ts'

/** How long claimed work belongs to a worker that gives no sign of life. */
export const leaseMs = 30_000

export interface ContextOptions {
  env: Environment
  log: Logger
  now?: () => Date
  /** Milliseconds that only grow, by which the clocks of providers are carried on. */
  steady?: () => number
  /** Opens the room for documents, when it is not to be the gateway's own. */
  createDocuments?: typeof createDocuments
}

/** The context of a gateway, with what only those need who put it together. */
export interface OpenContext {
  context: GatewayContext
  plugins: InstalledPlugins
  lines: Lines
  key: BootstrapKey
  missing: MissingDocuments
  /** The storage as it is, without encryption. */
  places: Storage
  /** Lets go of documents and database. */
  close: () => Promise<void>
}

async function openQueue(database: Database, now: () => Date) {
  const queue = createQueue({ database, now, leaseMs, byServer: true })
  // A database file has one process: what is claimed there was claimed by one that died.
  if (database.path !== null) await queue.recover()
  return queue
}

/** An open line says what happened once. */
function openLines(
  parts: Pick<GatewayContext, 'settings' | 'now' | 'log'> &
    Pick<ContextOptions, 'steady'> &
    Pick<OpenContext, 'plugins'>,
  context: () => GatewayContext,
) {
  const { plugins, settings, now, steady, log } = parts
  const lines = new Lines({
    providers: plugins.providers,
    settings,
    fingerprint: settings.seals.fingerprint,
    now,
    steady,
    log,
    report: async (provider, update) => {
      await untilBack(() => report(context(), provider, update))
    },
    receive: (provider, fax) => untilBack(async () => (await receiveFax(context(), provider, fax)) !== undefined),
  })
  plugins.onChange((ids) => lines.renew(ids))
  return lines
}

async function open(
  { env, log, now: given, steady, createDocuments: create = createDocuments }: ContextOptions,
  builtin: readonly Provider[],
  database: Database,
  allowLoopback: boolean,
): Promise<Omit<OpenContext, 'close'>> {
  const now = given ?? (() => new Date())
  const directory = dataDirectoryOf(env)
  const { plugins, readRows } = await openPlugins({ database, builtin, allowLoopback, log })
  const settings = await openSettings({ rows: await readRows(), readRows, env, database, assertStillGood, now, log })
  await refuseShortKey(database, settings.current().api_key)
  const key = bootstrapKey(settings.current().api_key, directory)
  const events = new Events(database, now, actorNames)
  const counters = new Counters(events)
  const documents = openDocuments({ create, directory, settings, counters, providers: plugins.providers })
  const missing = createMissing()
  const local = createLocalStorage(documentsIn(directory), database.reserve)
  const documentKeys = await openDocumentKeys({ database, settings, now })
  const places = noteMissing(await openStorage({ local, settings, database, events, log }), missing)
  const lines = openLines({ plugins, settings, now, steady, log }, () => context)
  const context: GatewayContext = {
    database,
    queue: await openQueue(database, now),
    events,
    trail: createTrail(database, log),
    storage: encryptStorage(places, documentKeys),
    documentKeys,
    documents,
    memory: new DocumentMemory(planMemory().held * 1024 * 1024),
    settings,
    providers: lines,
    // A clock that is given stands for the time that passes as well.
    breakers: new Breakers({ settings: settings.current, now, ...(given && { elapsed: () => given().getTime() }) }),
    counters,
    moments: createMoments(),
    home: await HomeWatch.open(database),
    directory,
    now,
    log,
  }
  // Before anything is looked for, sent or deleted by its number.
  await respellNumbers(context)
  await adoptNextOutbound(context, 'start')
  return { context, plugins, lines, key, missing, places }
}

/** The environment layer, also that of a restore that is finished only now. @throws {StartProblem} */
function readBeforePlugins({ env, log }: ContextOptions, builtin: readonly Provider[], directory: string): Values {
  const read = () => environmentBeforePlugins(allRows(builtin), env).values
  const values = read()
  if (!settleRestore(directory, values.fax_new_installation === true)) return values
  const { made_at: asOf } = readLastBackup(directory) ?? {}
  log.warn({ as_of: asOf }, 'A restore was interrupted near its end. It is finished now, and the backup is in use.')
  return read()
}

/**
 * Opens what every feature of a gateway works with. A start that is refused lets go of the database.
 * @throws {StartProblem} with everything that stands in the way, as sentences
 */
export async function openContext(options: ContextOptions, builtin: readonly Provider[]): Promise<OpenContext> {
  const { env, log } = options
  const directory = dataDirectoryOf(env)
  const values = readBeforePlugins(options, builtin, directory)
  refuseLostData(values, log)
  prepareDataDirectory(directory)
  const { database, close } = await openDatabase(String(values.database_url), {
    watch: (reason) => {
      if (reason === undefined) log.info('The database can be reached again. Work continues.')
      else log.warn({ reason }, 'The database cannot be reached. Calls are answered with 503 until it is back.')
    },
  })
  try {
    const opened = await open(options, builtin, database, values.feature_loopback_plugins === true)
    noteDataDirectory(directory, values, log)
    return {
      ...opened,
      close: async () => {
        await opened.context.documents.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

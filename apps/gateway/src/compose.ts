import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RouteName } from '@faxdeck/contract'
import type { createDocuments } from '@faxdeck/documents'
import { providers } from '@faxdeck/providers/registry'
import type { Environment } from '@faxdeck/settings'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { actionHandlers } from './actions/routes.ts'
import type { BootstrapKey } from './api-keys/bootstrap.ts'
import { apiKeyHandlers } from './api-keys/routes.ts'
import { hasKeys } from './api-keys/store.ts'
import { KeyVerifier } from './api-keys/verify.ts'
import { createApp } from './app.ts'
import { createApprovals } from './approvals/create-approvals.ts'
import { callbackDoors } from './callbacks/doors.ts'
import { mountCallbacks } from './callbacks/mount.ts'
import { diagnosticsHandlers } from './diagnostics/routes.ts'
import { createLibrary } from './docs/library.ts'
import { serveDocs } from './docs/routes.ts'
import { createFaxes } from './faxes/create-faxes.ts'
import { faxWork } from './faxes/doors.ts'
import { createLogins } from './health/logins.ts'
import { serveReadiness } from './health/ready.ts'
import { healthHandlers } from './health/routes.ts'
import { closeServer } from './http/close-server.ts'
import type { Guards } from './http/guards.ts'
import type { Handlers } from './http/handler.ts'
import { createInsideCalls } from './http/inside-calls.ts'
import { createInbound } from './inbound/create-inbound.ts'
import { inboundWork } from './inbound/doors.ts'
import { serveLive } from './live/routes.ts'
import { createChanges } from './live/changes.ts'
import { AuditFile } from './logs/audit-file.ts'
import { logHandlers } from './logs/routes.ts'
import { holderBesideMcp } from './mcp/access.ts'
import { createTokenVerifier } from './mcp/oauth.ts'
import { serveMcp } from './mcp/routes.ts'
import { serveMetrics } from './metrics/routes.ts'
import { serveOpenApi } from './openapi/routes.ts'
import { openParts, type Parts } from './open-parts.ts'
import { pluginHandlers } from './plugins/routes.ts'
import { Breakers } from './providers/breakers.ts'
import { Lines } from './providers/lines.ts'
import { providerHandlers } from './providers/routes.ts'
import { tellPause } from './providers/tell-pause.ts'
import { createQueue } from './queue/create-queue.ts'
import { watchLoop } from './queue/loop-use.ts'
import { createWorker } from './queue/worker.ts'
import { startReconciling } from './reconcile/start-reconciling.ts'
import type { LiveSettings } from './settings/live-settings.ts'
import { settingsHandlers } from './settings/routes.ts'
import type { SettingsInForce } from './settings/settings.ts'
import { allRows } from './settings/rows.ts'
import { createChosenStorage } from './storage/chosen.ts'
import { createWebhooks } from './webhooks/create-webhooks.ts'
import { webhookWork } from './webhooks/doors.ts'
import { createLocalStorage } from './storage/local.ts'
import { straySweep } from './strays/remove-strays.ts'
import { sweepHourly } from './sweep.ts'
import { tunnelHandlers } from './tunnel/routes.ts'

/** Every setting of this installation. */
export const rows = allRows(providers)

export interface ComposeOptions {
  env: Environment
  log: Logger
  /** Called when a person asks for a restart. */
  onRestart: () => void
  now?: () => Date
  /** The folder of the built console, when it is not where the build puts it. */
  consoleDirectory?: string
  /** Opens the room for documents, when it is not to be the gateway's own. */
  createDocuments?: typeof createDocuments
}

/** A gateway that is put together: it answers requests that are injected, and lives once started. */
export interface Gateway {
  app: FastifyInstance
  settings: LiveSettings
  key: BootstrapKey
  /** Whether the embedded line carries every fax. */
  onTestLine: () => boolean
  /** Opens lines, begins to work on the queue and to follow the settings of other processes. */
  start: () => void
  /** Ends in order within about eight seconds: answers what is under way, gives back work, closes what is open. */
  stop: () => Promise<void>
}

const leaseMs = 30_000
const workInHand = 100
/** Simultaneous pieces of work that belong to no provider. */
const ownWork = 4
const answerGraceMs = 3000
const workGraceMs = 5000
const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Sending, receiving and the lines between, which call each other. */
async function openFeatures({ database, settings, plugins, events, documents, directory, log, now }: Parts) {
  const local = createLocalStorage(join(directory, 'documents'))
  const storageOf = (values: SettingsInForce) => createChosenStorage(local, () => values)
  const storage = createChosenStorage(local, settings.current)
  const queue = createQueue({ database, now, leaseMs })
  // A database file has one process: what is claimed there was claimed by one that died.
  if (database.path !== null) await queue.recover()
  const lines: Lines = new Lines({
    providers: plugins.providers,
    settings,
    now,
    log,
    report: async (provider, update) => {
      await faxes.report(provider, update)
    },
    receive: async (provider, fax) => (await inbound.receive(provider, fax)) !== undefined,
  })
  plugins.onChange((ids) => lines.renew(ids))
  const breakers = new Breakers({ settings: settings.current, now })
  const shared = {
    database,
    storage,
    queue,
    events,
    documents,
    breakers,
    providers: lines,
    settings: settings.current,
    now,
  }
  const inbound = createInbound({ ...shared, scratch: join(directory, 'scratch') })
  const faxes = await createFaxes({ ...shared, directory }, inbound.failures)
  const approvals = createApprovals({ ...shared, faxes, seals: settings.seals })
  const webhooks = createWebhooks({ database, queue, events, seals: settings.seals, settings: settings.current, now })
  const worker = createWorker({
    database,
    queue,
    leaseMs,
    now,
    log,
    most: workInHand,
    isPressed: faxes.isPressed,
    isSaturated: watchLoop(),
    toBegin: (lane) => (lines.standIn(lane) ? Infinity : breakers.toBegin(lane)),
    limitOf: (lane) => (lines.find(lane) ? lines.concurrency(lane) : ownWork),
    handlers: { [faxWork]: faxes.work, [inboundWork]: inbound.work, [webhookWork]: webhooks.work },
  })
  const outboundProblem = () =>
    lines.problemOf(lines.outbound()) ?? tellPause({ providers: lines, breakers }, lines.outbound())
  return { storage, storageOf, queue, lines, breakers, outboundProblem, inbound, faxes, approvals, webhooks, worker }
}

type Features = Awaited<ReturnType<typeof openFeatures>>

function handlersOf(parts: Parts, features: Features, verifier: KeyVerifier, restart: () => void): Handlers<RouteName> {
  const { database, settings, plugins, events, documents, key, directory, now, log } = parts
  const { lines, breakers, outboundProblem, faxes, inbound, storage, storageOf, queue } = features
  return {
    ...healthHandlers({
      settings,
      providers: lines,
      faxes,
      inbound,
      approvals: features.approvals,
      outboundProblem,
      hasKeys: async () => key.file === null || (await hasKeys(database.db)),
      logins: createLogins({ events, now, log }),
      now,
      version,
    }),
    ...providerHandlers(lines),
    ...pluginHandlers({ plugins, lines, settings, database, events, now }),
    ...apiKeyHandlers({ database, events, verifier, now }),
    ...settingsHandlers({ settings, providers: lines, database, events, restart }),
    ...logHandlers(events, settings),
    ...diagnosticsHandlers({
      settings,
      lines,
      breakers,
      database,
      storage,
      documents,
      storageOf,
      queue,
      events,
      now,
      log,
    }),
    ...actionHandlers({ settings, database, queue, documents, events, directory, version, log }),
    ...tunnelHandlers({ settings, database, events, host: () => lines.hostOf(lines.outbound()), now }),
    ...faxes.handlers,
    ...inbound.handlers,
    ...features.approvals.handlers,
    ...features.webhooks.handlers,
  }
}

/** What answers outside the contract. */
async function mountOthers(app: FastifyInstance, guards: Guards, parts: Parts, features: Features): Promise<void> {
  const { database, settings, events, counters, now, log } = parts
  const { storage, queue, lines, breakers, inbound, faxes, worker } = features
  mountCallbacks(
    app,
    callbackDoors({ providers, settings: settings.current, guards, events, counters, faxes, inbound }),
  )
  const outboundProblem = () => lines.problemOf(lines.outbound())
  serveReadiness(app, { database, storage, settings, providers: lines, outboundProblem, now })
  serveMetrics(app, guards, { counts: counters, database, queue, worker, providers: lines, breakers, now })
  serveOpenApi(app, guards, version)
  serveLive(app, guards, createChanges(database, log))
  await serveDocs(app, (request) => guards.checkLocal(guards.originOf(request)), createLibrary(checkout), checkout)
}

/** Opens the lines and begins what goes on by itself; what ends each. */
function startWork(
  parts: Parts,
  { storage, lines, worker, faxes, inbound, approvals, webhooks }: Features,
): (() => void | Promise<void>)[] {
  const { database, settings, events, now, log } = parts
  const removeStrays = straySweep({ database, storage, events, now })
  const sweepFailed = (error: unknown) => log.error({ err: error }, 'Removing what is past its time failed.')
  lines.start()
  worker.start()
  return [
    settings.follow(),
    sweepHourly([faxes.expire, inbound.expire, approvals.expire, webhooks.expire, removeStrays], sweepFailed),
    startReconciling({
      database,
      providers: lines,
      settings: settings.current,
      report: faxes.report,
      receive: inbound.receive,
      now,
      log,
    }),
  ]
}

/**
 * Puts a gateway together: the only place where things are made and handed to those who use them.
 * @throws {StartProblem} with everything that stands in the way, as sentences
 */
export async function compose(options: ComposeOptions): Promise<Gateway> {
  const parts = await openParts(options, providers)
  const { database, settings, events, key, documents, log, now } = parts
  const features = await openFeatures(parts)
  const { lines, worker } = features
  const auditFile = new AuditFile(events, settings, (error) =>
    log.error({ err: error }, 'The audit file cannot be written.'),
  )
  const millis = () => now().getTime()
  const verifier = new KeyVerifier({
    db: database.db,
    bootstrapKey: key.key,
    now: millis,
    onTouchFailed: (error) => log.warn({ err: error }, 'The time of last use of a key could not be written.'),
  })
  const tokens = { settings: settings.current, verifyToken: createTokenVerifier(settings.current) }
  const holderOfToken = (request: FastifyRequest) => holderBesideMcp(request, tokens)
  let stopping = false
  const stops: (() => void | Promise<void>)[] = []
  const handlers = handlersOf(parts, features, verifier, options.onRestart)
  const app = await createApp({
    handlers,
    doors: { settings: settings.current, keys: verifier, holderOfToken, events, now: millis, stopping: () => stopping },
    consoleDirectory: options.consoleDirectory ?? builtConsole,
    mount: async (server, guards) => {
      await mountOthers(server, guards, parts, features)
      const calls = createInsideCalls(handlers, guards)
      serveMcp(server, { ...tokens, guards, calls, version, now: millis })
    },
    log,
  })
  return {
    app,
    settings,
    key,
    onTestLine: () => lines.outbound().kind === 'builtin',
    start: () => {
      stops.push(...startWork(parts, features))
    },
    stop: async () => {
      stopping = true
      const stopped = stops.map((stop) => stop())
      await Promise.all([...stopped, closeServer(app, answerGraceMs), worker.stop(workGraceMs)])
      await Promise.all([lines.close(), features.webhooks.close()])
      await Promise.all([auditFile.close(), documents.close()])
      await parts.close()
    },
  }
}

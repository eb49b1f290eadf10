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
import { openVerifier } from './api-keys/open-verifier.ts'
import type { KeyVerifier } from './api-keys/verify.ts'
import { createApp } from './app.ts'
import { callbackDoors } from './callbacks/doors.ts'
import { mountCallbacks } from './callbacks/mount.ts'
import { diagnosticsHandlers } from './diagnostics/routes.ts'
import { createLibrary } from './docs/library.ts'
import { serveDocs } from './docs/routes.ts'
import { activityHandlers } from './faxes/activity.ts'
import { noteAccepted } from './diagnostics/note-accepted.ts'
import { createLogins } from './health/logins.ts'
import { serveReadiness } from './health/ready.ts'
import { healthHandlers } from './health/routes.ts'
import { closeServer } from './http/close-server.ts'
import type { Guards } from './http/guards.ts'
import type { Handlers } from './http/handler.ts'
import { createInsideCalls } from './http/inside-calls.ts'
import { lineTestHandlers } from './line-test/routes.ts'
import { serveLive } from './live/routes.ts'
import { createChanges } from './live/changes.ts'
import { AuditFile } from './logs/audit-file.ts'
import { logHandlers } from './logs/routes.ts'
import { holderBesideMcp } from './mcp/access.ts'
import { createTokenVerifier } from './mcp/oauth.ts'
import { serveMcp } from './mcp/routes.ts'
import { serveMetrics } from './metrics/routes.ts'
import { serveOpenApi } from './openapi/routes.ts'
import { type Features, openFeatures } from './open-features.ts'
import { openParts, type Parts } from './open-parts.ts'
import { pluginHandlers } from './plugins/routes.ts'
import { providerHandlers } from './providers/routes.ts'
import { type OutboundState, outboundStateOf } from './providers/test-line.ts'
import { startReconciling } from './reconcile/start-reconciling.ts'
import type { LiveSettings } from './settings/live-settings.ts'
import { settingsHandlers } from './settings/routes.ts'
import { allRows } from './settings/rows.ts'
import { straySweep } from './strays/remove-strays.ts'
import { sweepHourly } from './sweep.ts'
import { sweepScratch } from './sweep-scratch.ts'
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
  /** Which line carries faxes, for whoever starts the gateway. */
  outbound: () => OutboundState
  /** Opens lines, begins to work on the queue and to follow the settings of other processes. */
  start: () => void
  /** Ends in order within about eight seconds: answers what is under way, gives back work, closes what is open. */
  stop: () => Promise<void>
}

const answerGraceMs = 3000
const workGraceMs = 5000
const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

function handlersOf(parts: Parts, features: Features, verifier: KeyVerifier, restart: () => void): Handlers<RouteName> {
  const { database, settings, plugins, events, documents, key, directory, now, log } = parts
  const { lines, breakers, problem, faxes, inbound, storage, storageOf, queue } = features
  return {
    ...healthHandlers({
      settings,
      providers: lines,
      faxes,
      inbound,
      approvals: features.approvals,
      problem,
      bypassed: () => lines.bypassed()?.name,
      prove: settings.seals.prove,
      hasKeys: async () => key.file === null || (await hasKeys(database.db)),
      logins: createLogins({ events, now, log }),
      now,
      version,
    }),
    ...providerHandlers(lines),
    ...pluginHandlers({ plugins, lines, settings, database, events, now }),
    ...apiKeyHandlers({ database, first: key, settings, events, verifier, now }),
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
      inbound,
      events,
      askOurselves: features.ownQuestion.ask,
      integrity: features.integrity,
      seen: (findings) => noteAccepted(lines, features.refusal, findings),
      now,
      log,
    }),
    ...lineTestHandlers({ providers: lines, documents, events, now, log }),
    ...actionHandlers({ settings, database, queue, documents, events, directory, version, log }),
    ...tunnelHandlers({ settings, database, events, askOurselves: features.ownQuestion.ask, now }),
    ...faxes.handlers,
    ...activityHandlers({ database, inbound, problem, countsTests: features.countsTests, now }),
    ...inbound.handlers,
    ...features.approvals.handlers,
    ...features.webhooks.handlers,
    ...features.pageText.handlers,
  }
}

/** What answers outside the contract. */
async function mountOthers(app: FastifyInstance, guards: Guards, parts: Parts, features: Features): Promise<void> {
  const { database, settings, events, counters, directory, now, log } = parts
  const { storage, queue, lines, breakers, inbound, faxes, worker } = features
  const scratch = join(directory, 'scratch')
  const house = { settings: settings.current, guards, events, counters, faxes, inbound, now, scratch, log }
  mountCallbacks(app, callbackDoors({ providers, ...house }))
  const outboundProblem = () => lines.problemOf(lines.outbound())
  serveReadiness(app, { database, storage, settings, providers: lines, outboundProblem })
  serveMetrics(app, guards, { counts: counters, database, queue, worker, providers: lines, breakers, now })
  serveOpenApi(app, guards, version)
  serveLive(app, guards, createChanges(database, log))
  await serveDocs(app, (request) => guards.checkLocal(guards.originOf(request)), createLibrary(checkout), checkout)
}

/** Opens the lines and begins what goes on by itself; what ends each. */
function startWork(
  parts: Parts,
  { storage, integrity, lines, breakers, worker, faxes, inbound, approvals, webhooks }: Features,
): (() => void | Promise<void>)[] {
  const { database, settings, events, directory, now, log } = parts
  const removeStrays = straySweep({ database, storage, events, now })
  const expired = [faxes.expire, inbound.expire, approvals.expire, webhooks.expire]
  const sweepFailed = (error: unknown) => log.error({ err: error }, 'Removing what is past its time failed.')
  lines.start()
  worker.start()
  return [
    settings.follow(),
    sweepHourly([...expired, removeStrays, integrity.walk, () => sweepScratch(directory)], sweepFailed),
    startReconciling({
      database,
      providers: lines,
      breakers,
      settings: settings.current,
      report: faxes.report,
      receive: inbound.receive,
      lookUpHeld: faxes.lookUpHeld,
      now,
      log,
    }),
  ]
}

/** A start that is refused lets go of the database. */
async function openFeaturesOf(parts: Parts): Promise<Features> {
  try {
    return await openFeatures(parts)
  } catch (error) {
    await parts.close()
    throw error
  }
}

/**
 * Puts a gateway together: the only place where things are made and handed to those who use them.
 * @throws {StartProblem} with everything that stands in the way, as sentences
 */
export async function compose(options: ComposeOptions): Promise<Gateway> {
  const parts = await openParts(options, providers)
  const { database, settings, events, key, documents, log, now } = parts
  const features = await openFeaturesOf(parts)
  const { lines, worker } = features
  const auditFile = new AuditFile(events, settings, (error) =>
    log.error({ err: error }, 'The audit file cannot be written.'),
  )
  const millis = () => now().getTime()
  const { verifier, stop: stopHearing } = openVerifier({ database, key, now: millis, log })
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
    outbound: () => outboundStateOf(lines),
    start: () => {
      stops.push(...startWork(parts, features))
    },
    stop: async () => {
      stopping = true
      stopHearing()
      const stopped = stops.map((stop) => stop())
      await Promise.all([...stopped, closeServer(app, answerGraceMs), worker.stop(workGraceMs)])
      await Promise.all([lines.close(), features.webhooks.close(), features.ownQuestion.close()])
      await Promise.all([auditFile.close(), documents.close()])
      await parts.close()
    },
  }
}

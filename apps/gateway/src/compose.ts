import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RouteName } from '@faxdeck/contract'
import { providers } from '@faxdeck/providers/registry'
import type { FastifyInstance } from 'fastify'
import { createActions } from './features/actions/feature.ts'
import type { BootstrapKey } from './access/api-keys/bootstrap.ts'
import { createApiKeys } from './access/api-keys/feature.ts'
import { createApprovals } from './features/approvals/feature.ts'
import { createBroadcasts } from './features/broadcasts/feature.ts'
import { createBulk } from './features/bulk/feature.ts'
import { createCalls } from './fax/calls/feature.ts'
import { createCallbacks } from './inbox/callbacks/feature.ts'
import type { Group } from './base/checks.ts'
import type { GatewayContext } from './base/context.ts'
import { createDiagnostics } from './features/diagnostics/feature.ts'
import { createDocs } from './features/docs/feature.ts'
import { createDownloads } from './features/downloads/feature.ts'
import type { Events } from './base/events/events.ts'
import { createEmergency } from './features/emergency/feature.ts'
import { createEncryption } from './features/encryption/feature.ts'
import { createFaxes } from './fax/feature.ts'
import { type AnsweredBy, type Feature, handlersOf, workOf } from './base/feature.ts'
import { createGroups } from './access/groups/feature.ts'
import { createHealth } from './features/health/feature.ts'
import { answerFromEnvironment, createHome } from './features/home/feature.ts'
import { closeServer } from './base/http/close-server.ts'
import { serveConsole } from './base/http/console.ts'
import { Guards } from './base/http/callers/guards.ts'
import { createInsideCalls } from './base/http/inside-calls.ts'
import { register } from './base/http/register.ts'
import { createServer } from './base/http/server.ts'
import { createInbound } from './inbox/inbound/feature.ts'
import { receivedFaxes } from './inbox/inbound/followed.ts'
import { createLineTest } from './features/line-test/feature.ts'
import { createLive } from './features/live/feature.ts'
import { createLogs } from './features/logs/feature.ts'
import { createMcp } from './features/mcp/feature.ts'
import { createMetrics } from './features/metrics/feature.ts'
import { createOpenApi } from './features/openapi/feature.ts'
import { createPageText } from './paper/page-text/feature.ts'
import { createPeople } from './access/people/feature.ts'
import { createPlugins } from './features/plugins/feature.ts'
import { createProviders } from './base/providers/feature.ts'
import { type OutboundState, outboundStateOf } from './base/providers/test-line.ts'
import { backgroundLane } from './base/queue/queue.ts'
import { createWorker, type Worker } from './base/queue/worker.ts'
import { createReconciliation } from './inbox/reconcile/feature.ts'
import { createRecords } from './features/records/feature.ts'
import { createReports } from './features/reports/feature.ts'
import { announceDeletions } from './paper/retention/announce.ts'
import { createRetention } from './paper/retention/feature.ts'
import { createSeparators } from './fax/separators/feature.ts'
import { scratchIn } from './base/settings/data-directory.ts'
import { createSettings } from './base/settings/feature.ts'
import type { LiveSettings } from './base/settings/live-settings.ts'
import { allRows } from './base/settings/rows.ts'
import { followCertificate, readCertificate } from './start/certificate.ts'
import { type ContextOptions, leaseMs, openContext, type OpenContext } from './start/open-context.ts'
import { createStrays } from './features/strays/feature.ts'
import { cleanHourly } from './start/clean-hourly.ts'
import { CleaningClock } from './start/cleaning-clock.ts'
import { createTrailCopies } from './features/trail-copies/feature.ts'
import { createTraces } from './features/traces/feature.ts'
import { createTunnel } from './features/tunnel/feature.ts'
import { holdIn } from './upkeep/hold.ts'
import { version } from './base/version.ts'
import { createWebhooks } from './features/webhooks/feature.ts'

/** Every setting of this installation. */
export const rows = allRows(providers)

export interface ComposeOptions extends ContextOptions {
  /** Called when a person asks for a restart. */
  onRestart: () => void
  /** The folder of the built console, when it is not where the build puts it. */
  consoleDirectory?: string
}

/** A gateway that is put together: it answers requests that are injected, and lives once started. */
export interface Gateway {
  app: FastifyInstance
  settings: LiveSettings
  events: Events
  key: BootstrapKey
  /** Which line carries faxes, for the banner at the start. */
  outbound: () => OutboundState
  /** Opens lines, begins to work on the queue and to follow the settings of other processes. */
  start: () => void
  /** Ends in order within about eight seconds: answers what is under way, gives back work, closes what is open. */
  stop: () => Promise<void>
}

const answerGraceMs = 3000
const workGraceMs = 5000
/** A provider or webhook that is slow must not keep the others from being served. */
const workInHand = 100
/** Simultaneous pieces of work that belong to no provider. */
const ownWork = 4
/** Under the greatest strain pages are drawn for so few faxes, and read of fewer. */
const drawingPauseMs = 500
const readingPauseMs = 5000
const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url))

/** The features that others are given something of. */
function createGivers({ context, key, places }: OpenContext) {
  const apiKeys = createApiKeys(context, key)
  const approvals = createApprovals(context)
  const webhooks = createWebhooks(context)
  const health = createHealth(context, {
    hasKeys: apiKeys.hasKeys,
    countWaitingApprovals: approvals.countWaiting,
    stoppedWebhooks: webhooks.stopped,
    version,
  })
  const people = createPeople(context, apiKeys.endings)
  const encryption = createEncryption(context, places)
  return { apiKeys, people, health, approvals, webhooks, encryption, mcp: createMcp(context, version) }
}

/** What a gateway does. A feature may build on those above it; they are closed from the last to the first. */
async function createFeatures(opened: OpenContext, restart: () => void, losses: () => number) {
  const { context, plugins, lines, missing } = opened
  const { apiKeys, people, health, approvals, webhooks, encryption, mcp } = createGivers(opened)
  const copies = createTrailCopies(context)
  const reported: Group[] = []
  const features = [
    createLogs(context),
    apiKeys,
    people,
    createGroups(context),
    health,
    createHome(context, holdIn),
    createSettings(context, restart),
    createProviders(context, lines),
    createPlugins({ ...context, plugins }),
    await createFaxes(context, [receivedFaxes]),
    createBulk(context),
    createInbound(context),
    createCallbacks(context, providers),
    createReconciliation(context),
    createSeparators(context),
    createBroadcasts(context),
    approvals,
    webhooks,
    createPageText(context),
    createCalls(context),
    createRecords(context),
    createEmergency(context),
    createReports(context),
    copies,
    createLineTest(context),
    createDiagnostics(context, { ...health, missing, encryption: encryption.state, reported }),
    createActions(context, version),
    createTunnel(context, health.askOurselves),
    createRetention(context),
    createStrays(context),
    encryption,
    createMetrics(context, { leaseLosses: losses, trailLags: copies.lags }),
    createTraces(context, version),
    createLive(context, health.status),
    createOpenApi(version),
    createDocs(join(checkout, 'docs/dist')),
    createDownloads(join(checkout, 'downloads')),
    mcp,
  ] as const
  reported.push(...(features as readonly Feature[]).flatMap(({ checks }) => checks ?? []))
  return { features, keys: apiKeys.verifier, holderOfToken: mcp.holderOfToken, personOf: people.actorOf }
}

type Features = Awaited<ReturnType<typeof createFeatures>>
/** Calls of the contract that no feature answers: there must be none. */
type Unanswered = Exclude<RouteName, AnsweredBy<Features['features']>>

function createQueueWorker(context: GatewayContext, features: readonly Feature[]): Worker {
  const { database, queue, providers, breakers, now, log } = context
  return createWorker({
    database,
    queue,
    leaseMs,
    now,
    log,
    maxInHand: workInHand,
    pauseOf: (lane) =>
      lane === backgroundLane ? readingPauseMs : providers.find(lane)?.traits.requires_pages ? drawingPauseMs : 0,
    // What may take another way is taken up also while its provider is paused.
    toBegin: (lane) =>
      providers.standIn(lane) && breakers.pauseOf(lane)?.reason !== 'rate_limited' ? Infinity : breakers.toBegin(lane),
    limitOf: (lane) => (providers.find(lane) ? providers.concurrency(lane) : lane === backgroundLane ? 1 : ownWork),
    handlers: workOf(features),
  })
}

/** The HTTP side, without a socket: listen on it, or inject requests. */
async function createApp(
  { settings, events, database, memory, directory, now, log }: GatewayContext,
  { features, keys, holderOfToken, personOf }: Features,
  consoleDirectory = builtConsole,
): Promise<FastifyInstance> {
  const { isInUse: isDiskFull } = database.reserve
  const guards = new Guards({ settings: settings.current, keys, holderOfToken, personOf, events, now, isDiskFull })
  const handlers = handlersOf<Unanswered>(features)
  const { base_path: path } = settings.current()
  const https = readCertificate(settings.current()) ?? null
  const app = await createServer(guards, log, { https, basePath: path ?? '' })
  await register(app, handlers, guards, { folder: scratchIn(directory), memory })
  const calls = createInsideCalls(handlers, guards)
  for (const feature of features as readonly Feature[]) await feature.serve?.({ app, guards, calls })
  await serveConsole(app, guards, consoleDirectory)
  await app.ready()
  return app
}

/** Begins what goes on by itself. @param steady milliseconds that pass @returns how to stop it */
function startFeatures(
  context: GatewayContext,
  features: readonly Feature[],
  steady: (() => number) | undefined,
): (() => void | Promise<void>)[] {
  const { log } = context
  const clock = new CleaningClock({ ...context, steady })
  const cleaning = cleanHourly({
    look: () => clock.look(),
    glance: () => clock.glance(),
    tidying: features.flatMap(({ tidy }) => tidy ?? []),
    prepare: (now) => announceDeletions({ ...context, now }),
    cleanups: features.flatMap(({ expire }) => expire ?? []),
    onFailed: (error) => log.error({ err: error }, 'Expired data could not be removed.'),
  })
  return [...features.flatMap(({ start }) => start?.() ?? []), cleaning]
}

/** What a feature builds on is closed after it. */
async function closeFeatures(features: readonly Feature[]): Promise<void> {
  for (const { close } of features.toReversed()) await close?.()
}

/**
 * Puts a gateway together: context, features, worker and server.
 * @throws {StartProblem} with everything that stands in the way, as sentences
 */
export async function compose(options: ComposeOptions): Promise<Gateway> {
  const opened = await openContext(options, providers)
  const { context, key } = opened
  await answerFromEnvironment(context, options.env, holdIn)
  const composed = await createFeatures(opened, options.onRestart, () => worker.leaseLosses())
  const features: readonly Feature[] = composed.features
  const worker = createQueueWorker(context, features)
  const app = await createApp(context, composed, options.consoleDirectory)
  let stops: (() => void | Promise<void>)[] = []
  let isStopping = false
  return {
    app,
    settings: context.settings,
    events: context.events,
    key,
    outbound: () => {
      const state = outboundStateOf(context.providers)
      return { ...state, problem: context.home.question ?? state.problem }
    },
    start: () => {
      const { settings, log } = context
      const { now: given } = options
      // A clock that is given stands for the time that passes as well.
      const steady = given && (() => given().getTime())
      stops = [followCertificate(app.server, settings.current(), { log })]
      // An original may go on doing the same.
      void context.home.settled.then(() => {
        if (isStopping) return
        stops.push(...startFeatures(context, features, steady))
        worker.start()
      })
    },
    stop: async () => {
      isStopping = true
      await Promise.all([...stops.map((stop) => stop()), closeServer(app, answerGraceMs), worker.stop(workGraceMs)])
      await closeFeatures(features)
      await opened.close()
    },
  }
}

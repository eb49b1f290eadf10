import { join } from 'node:path'
import { createApprovals } from './approvals/create-approvals.ts'
import { watchIntegrity } from './diagnostics/integrity.ts'
import { untilBack } from './db/outage.ts'
import { createCalls } from './calls/create-calls.ts'
import { createFaxes } from './faxes/create-faxes.ts'
import { faxWork } from './faxes/doors.ts'
import type { Faxes } from './faxes/faxes.ts'
import type { HealthProblem } from './health/routes.ts'
import { createInbound } from './inbound/create-inbound.ts'
import { createOwnQuestion } from './health/ask-ourselves.ts'
import { createLastRefusal, type LastRefusal } from './health/last-refusal.ts'
import { inboundWork } from './inbound/doors.ts'
import type { Inbound } from './inbound/inbound.ts'
import { createPageText } from './page-text/create-page-text.ts'
import { pageTextWork } from './page-text/doors.ts'
import type { Parts } from './open-parts.ts'
import { Breakers } from './providers/breakers.ts'
import { Lines } from './providers/lines.ts'
import { tellPause } from './providers/tell-pause.ts'
import { hasRealProvider, testLineSentence } from './providers/test-line.ts'
import { createQueue } from './queue/create-queue.ts'
import { backgroundLane, type Queue } from './queue/queue.ts'
import { watchLoop } from './queue/loop-use.ts'
import { createWorker } from './queue/worker.ts'
import type { SettingsInForce } from './settings/settings.ts'
import { openStorage } from './open-storage.ts'
import { createChosenStorage } from './storage/chosen.ts'
import { createMissing, noteMissing } from './storage/missing.ts'
import { createWebhooks } from './webhooks/create-webhooks.ts'
import { webhookWork } from './webhooks/doors.ts'
import { createLocalStorage } from './storage/local.ts'

const leaseMs = 30_000
const workInHand = 100
/** Simultaneous pieces of work that belong to no provider. */
const ownWork = 4

/** Why the dashboard is not healthy: what keeps faxes from being sent, or made the last one fail. */
async function problemOf(lines: Lines, breakers: Breakers, refusal: LastRefusal): Promise<HealthProblem | undefined> {
  const provider = lines.outbound()
  const unused = lines.bypassed()
  const sentence =
    lines.problemOf(provider) ??
    tellPause({ providers: lines, breakers }, provider) ??
    (await refusal.of(provider)) ??
    (unused === undefined ? undefined : testLineSentence(unused.name))
  if (sentence === undefined) return undefined
  const isPause = !lines.problemOf(provider) && breakers.pauseOf(provider.id)?.reason === 'rate_limited'
  return { sentence, isPause }
}

/** What a provider's credentials stopped goes on once they are others. */
function followCredentials(
  { settings }: Pick<Parts, 'settings'>,
  { lines, breakers, faxes, refusal }: { lines: Lines; breakers: Breakers; faxes: Faxes; refusal: LastRefusal },
): void {
  settings.onChange(async ({ keys }) => {
    const changed = lines.providers.filter((provider) => provider.settings.some(({ key }) => keys.includes(key)))
    for (const { id } of changed) {
      refusal.forget(id)
      breakers.forget(id)
      await faxes.resume(id)
    }
  })
}

interface Workers {
  queue: Queue
  lines: Lines
  breakers: Breakers
  faxes: Faxes
  inbound: Inbound
  webhooks: Pick<ReturnType<typeof createWebhooks>, 'work'>
  pageText: Pick<ReturnType<typeof createPageText>, 'work'>
}

function openWorker(
  { database, now, log }: Parts,
  { queue, lines, breakers, faxes, inbound, webhooks, pageText }: Workers,
) {
  return createWorker({
    database,
    queue,
    leaseMs,
    now,
    log,
    most: workInHand,
    isPressed: faxes.isPressed,
    isSaturated: watchLoop(),
    // What may take another way is taken up also while its provider is paused.
    toBegin: (lane) =>
      lines.standIn(lane) && breakers.pauseOf(lane)?.reason !== 'rate_limited' ? Infinity : breakers.toBegin(lane),
    limitOf: (lane) => (lines.find(lane) ? lines.concurrency(lane) : lane === backgroundLane ? 1 : ownWork),
    handlers: {
      [faxWork]: faxes.work,
      [inboundWork]: inbound.work,
      [webhookWork]: webhooks.work,
      [pageTextWork]: pageText.work,
    },
  })
}

async function openQueue({ database, now }: Parts): Promise<Queue> {
  const queue = createQueue({ database, now, leaseMs, byServer: true })
  // A database file has one process: what is claimed there was claimed by one that died.
  if (database.path !== null) await queue.recover()
  return queue
}

/** Documents, where they are put and whether they are still there. */
async function openDocumentsStorage({ database, settings, events, directory, log }: Parts) {
  const local = createLocalStorage(join(directory, 'documents'))
  const missing = createMissing()
  const storage = noteMissing(await openStorage({ local, settings, database, events, log }), missing)
  return {
    storage,
    storageOf: (values: SettingsInForce) => createChosenStorage(local, () => values),
    integrity: watchIntegrity({ database, storage, missing }),
  }
}

/** Sending, receiving and the lines between, which call each other. */
export async function openFeatures(parts: Parts) {
  const { database, settings, plugins, events, documents, directory, log, now } = parts
  const stored = await openDocumentsStorage(parts)
  const queue = await openQueue(parts)
  const lines: Lines = new Lines({
    providers: plugins.providers,
    settings,
    fingerprint: settings.seals.fingerprint,
    now,
    log,
    // An open line says what happened once.
    report: async (provider, update) => {
      await untilBack(() => faxes.report(provider, update))
    },
    receive: (provider, fax) => untilBack(async () => (await inbound.receive(provider, fax)) !== undefined),
  })
  plugins.onChange((ids) => lines.renew(ids))
  const breakers = new Breakers({ settings: settings.current, now })
  const kept = { database, storage: stored.storage, queue, events, documents }
  const shared = { ...kept, breakers, providers: lines, settings: settings.current, now }
  const inbound = createInbound({ ...shared, scratch: join(directory, 'scratch') })
  const faxes = await createFaxes({ ...shared, directory })
  const approvals = createApprovals({ ...shared, faxes, seals: settings.seals })
  const webhooks = createWebhooks({ ...shared, seals: settings.seals })
  const pageText = createPageText(shared, settings.onChange.bind(settings))
  const calls = createCalls({ database, providers: lines, now })
  const refusal = createLastRefusal(database, now)
  followCredentials(parts, { lines, breakers, faxes, refusal })
  return {
    ...stored,
    countsTests: () => !hasRealProvider(lines.providers, settings.current()),
    refusal,
    ownQuestion: createOwnQuestion(settings.seals.prove),
    queue,
    lines,
    breakers,
    problem: () => problemOf(lines, breakers, refusal),
    inbound,
    faxes,
    approvals,
    webhooks,
    pageText,
    calls,
    worker: openWorker(parts, { queue, lines, breakers, faxes, inbound, webhooks, pageText }),
  }
}

export type Features = Awaited<ReturnType<typeof openFeatures>>

import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { IncomingFax } from '@faxdeck/provider-kit'
import { transact } from '../../base/db/transact.ts'
import { bindCall, checkIdempotencyKey, type KeyedCall } from '../../fax/facts/idempotency.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { requireDataDirectory, scratchIn } from '../../base/settings/data-directory.ts'
import type { GatewayContext } from '../../base/context.ts'
import { receiveFax } from './receive.ts'
import { findInbound } from './store.ts'

const longestWaitMs = 3000
const glanceMs = 20

interface Simulation {
  backend?: string | undefined
  fr?: string | undefined
  to?: string | undefined
  pages: number
  status: 'received' | 'failed'
}

const pageText = (page: number, pages: number, when: Date) =>
  `FAXDECK TEST FAX\n\nThis page was made by the gateway to test receiving.\nNobody sent it, and it holds no patient data.\n\nMade ${when.toISOString()}\nPage ${page} of ${pages}\n`

/** The path of a real fax of `pages` test pages, as a machine would have sent it. */
async function drawTestFax(context: GatewayContext, name: string, pages: number, when: Date): Promise<string> {
  await requireDataDirectory(context.directory)
  const text = Array.from({ length: pages }, (_, index) => pageText(index + 1, pages, when)).join('\f')
  const path = join(scratchIn(context.directory), `${name}.tiff`)
  const { fax_paper: paper, fax_resolution: resolution } = context.settings.current()
  await context.documents.toTiff(Buffer.from(text), path, { paper, resolution })
  return path
}

/** Waits a moment for the fax to be finished, so that the caller for it finds it readable. */
async function arrival({ database }: GatewayContext, id: string): Promise<void> {
  const giveUp = AbortSignal.timeout(longestWaitMs)
  while (!giveUp.aborted && (await findInbound(database.db, id))?.status === 'waiting') await delay(glanceMs)
}

/**
 * Receives a made fax through the path a real one takes. It is marked as a test.
 * @returns its id, and whether the caller's Idempotency-Key had been used for it before
 * @throws {Problem} `inbound_disabled`, or `bad_request` for a provider that does not exist
 */
export async function simulateInbound(
  context: GatewayContext,
  simulation: Simulation,
  call: KeyedCall,
): Promise<{ id: string; replayed: boolean }> {
  checkIdempotencyKey(call.idempotencyKey)
  if (!context.settings.current().inbound_enabled) throw new Problem('inbound_disabled')
  const provider = simulation.backend ? context.providers.find(simulation.backend) : context.providers.inbound()
  if (!provider) throw new Problem('bad_request', `There is no provider called "${simulation.backend}".`)
  const when = context.now()
  const { backend = null, fr = null, to = null, pages, status } = simulation
  const fingerprint = hash('sha256', JSON.stringify(['simulate', backend, fr, to, pages, status]))
  const { name: bound, replayed } = await transact(context.database, (tx) => bindCall(tx, call, fingerprint, when))
  // The same name is the same fax: a repeat finds it, also when the first call died before it was received.
  const name = `test-${bound}`
  const path = await drawTestFax(context, name, simulation.pages, when)
  const fax: IncomingFax = {
    providerId: name,
    from: simulation.fr ?? null,
    to: simulation.to ?? null,
    pages: simulation.pages,
    state: simulation.status,
    isTest: true,
    document: { path },
    ...(simulation.status === 'failed'
      ? { sentence: 'A simulated failure: the call dropped before the last page.' }
      : {}),
  }
  try {
    const received = await receiveFax(context, provider.id, fax)
    if (!received) throw new Problem('inbound_disabled')
    await arrival(context, received.id)
    return { id: received.id, replayed }
  } finally {
    await rm(path, { force: true })
  }
}

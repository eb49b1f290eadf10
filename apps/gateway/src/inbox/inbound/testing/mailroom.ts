import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Documents } from '@faxdeck/documents'
import { onTestFinished } from 'vitest'
import type { Database } from '../../../base/db/database.ts'
import { Events } from '../../../base/events/events.ts'
import type { Call } from '../../../base/http/handler.ts'
import { holderOf } from '../../../base/http/callers/keys.ts'
import { createQueue } from '../../../base/queue/create-queue.ts'
import { createLocalStorage } from '../../../base/storage/local.ts'
import { keysIn } from '../../../base/storage/testing/keys-in.ts'
import type { ProviderAccess } from '../../../base/providers/access.ts'
import type { SettingsInForce } from '../../../base/settings/settings.ts'
import { fixedSettings, testContext } from '../../../testing/test-context.ts'
import { createInbound } from '../feature.ts'
import { inboundWork } from '../store.ts'

export type Extra = { fetch?: () => Promise<Uint8Array>; enabled?: boolean; settings?: object }

/** A gateway that receives through a made-up provider, and a clock that is set by hand. */
export async function openMailroom(database: Database, documents: Documents, extra: Extra = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-inbound-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const clock = { now: new Date('2026-03-01T12:00:00Z') }
  const now = () => clock.now
  const storage = createLocalStorage(join(directory, 'documents'))
  const queue = createQueue({ database, now, leaseMs: 60_000 })
  const events = new Events(database, now)
  const settings = {
    fax_data_dir: directory,
    inbound_enabled: extra.enabled ?? true,
    inbound_retention_days: 30,
    fax_paper: 'letter',
    fax_resolution: 'fine',
    public_api_url: 'https://fax.example.test',
    courier_password: 'a-courier-password',
    ...extra.settings,
  }
  const provider = {
    id: 'courier',
    name: 'Courier',
    settings: [{ key: 'courier_password', type: 'secret' }],
    webhooks: [
      { path: '/courier-inbound', name: 'received faxes', contentTypes: ['multipart/form-data', 'application/json'] },
      { path: '/_internal/courier', name: 'hand-over', internal: true },
    ],
  } as never
  const webhooks = [{ path: '/other-inbound', name: 'received faxes' }]
  const other = { id: 'other', name: 'Other', settings: [], webhooks } as never
  await mkdir(join(directory, 'scratch'))
  const context = testContext({
    database,
    storage,
    queue,
    events,
    documents,
    now,
    directory,
    settings: fixedSettings(settings as Partial<SettingsInForce>),
    providers: {
      find: (id: string) => ({ courier: provider, other })[id],
      inbound: () => provider,
      outbound: () => provider,
      opened: () => undefined,
      line: () => ({ send: undefined as never, ...(extra.fetch ? { fetchDocument: extra.fetch } : {}) }),
    } as unknown as ProviderAccess,
  })
  const inbound = createInbound(context)
  const work = async () => {
    const { claims } = await queue.claim(inboundWork, 100, 100)
    for (const claim of claims) await inbound.work.inbound(claim, new AbortController().signal)
    return claims.length
  }
  const fax = (id: string) =>
    database.db.selectFrom('inbound_faxes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const call = (parts: object) =>
    ({
      headers: {},
      caller: holderOf('k1', new Set(['keys:manage'])),
      ...{ query: {}, params: {}, body: {} },
      ...parts,
    }) as unknown as Call<never>
  const stored = () => keysIn(storage, 'inbound')
  return { context, inbound, storage, events, clock, work, fax, stored, call, directory, settings }
}

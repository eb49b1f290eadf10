import { createHash } from 'node:crypto'
import { type IncomingFax, mergeRecords, plainFax } from '@faxdeck/provider-kit'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { newsOfCall, storedCall } from '../../fax/calls/stored-call.ts'
import { transactTogether } from '../../base/db/commit-group.ts'
import type { GatewayContext } from '../../base/context.ts'
import { ofTest } from '../../base/providers/test-line.ts'
import { spellNumber } from '../../base/number.ts'
import { groupOfCalled } from '../../access/groups/group-of.ts'
import { keepPushedDocument } from './keep-document.ts'
import { findInbound, inboundWork, insertInbound, updateInbound } from './store.ts'
import { takeLaterNotice } from './take-later-notice.ts'

const removed = '[removed]'
/** Shorter values are no secrets, and would be found in every other word. */
const shortestSecret = 6
const secretName = '[\\w.\\-\\[\\]]*(?:pass|secret|token|api_?key|signature|authorization)[\\w.\\-\\[\\]]*'
const inJson = new RegExp(`("${secretName}"\\s*:\\s*)"(?:\\\\.|[^"\\\\])*"`, 'gi')
const inForm = new RegExp(`((?:^|&)${secretName}=)[^&]*`, 'gi')
const inAddress = /(:\/\/)[^/\s"@]*@/g

/**
 * A notice of a provider as it may be kept and shown: without the secrets that are set here, without what is named like
 * one, and without the user and the password of addresses.
 */
export function withoutSecrets(notice: string, secrets: readonly unknown[]): string {
  let text = notice
  for (const secret of secrets) {
    if (typeof secret !== 'string' || secret.length < shortestSecret) continue
    for (const spelling of [secret, encodeURIComponent(secret)]) text = text.replaceAll(spelling, removed)
  }
  return text.replace(inJson, `$1"${removed}"`).replace(inForm, `$1${removed}`).replace(inAddress, `$1${removed}@`)
}

/** A received fax that is recorded. */
export interface Received {
  id: string
  /** True when this fax was already recorded; nothing was changed. */
  repeat: boolean
}

/** 8 KB of the notification are kept as evidence. */
const longestNotification = 8192
/** Secrets are removed from more of it: one that is cut in two is not recognized. */
const longestSearched = 8 * longestNotification

/** The same fax of the same provider has the same id, so that a repeat finds it. */
export function inboundId(provider: string, providerId: string): string {
  return createHash('sha256').update(`${provider}\0${providerId}`).digest('hex').slice(0, 32)
}

interface Arrival {
  id: string
  provider: string
  fax: IncomingFax
  /** Where its document is, when it was pushed. */
  stored: string | null
  /** What is kept of the notification. */
  notice: string | null
}

function newRow({ id, provider, fax, stored, notice }: Arrival, now: Date): InboundFaxRow {
  const { document } = fax
  const announced = document !== null && 'fetch' in document
  const sentence = fax.sentence ?? 'The call ended before the fax was complete.'
  const at = now.toISOString()
  return {
    id,
    provider,
    provider_id: fax.providerId,
    from_number: fax.from,
    to_number: fax.to,
    status: document === null ? 'failed' : 'waiting',
    pages: fax.pages,
    size_bytes: null,
    sha256: null,
    pdf_key: null,
    original_key: stored,
    source: announced ? document.fetch : null,
    notification: notice,
    error: document === null ? sentence : null,
    concern: fax.state === 'unclear' ? sentence : null,
    broke_off: fax.state === 'failed' ? sentence : null,
    page_notes: null,
    call_record: storedCall(fax.call).call_record ?? null,
    is_test: fax.isTest ? 1 : 0,
    fetch_tries: 0,
    next_try_at: null,
    read_at: null,
    received_at: (fax.receivedAt ?? now).toISOString(),
    created_at: at,
    updated_at: at,
    // Whose number it is at this moment is asked with the commit.
    group_id: null,
    place: null,
  }
}

function noticeOf(context: GatewayContext, provider: string, { notification }: IncomingFax): string | null {
  if (notification === undefined) return null
  const values: Readonly<Record<string, unknown>> = context.settings.current()
  const rows = context.providers.find(provider)?.settings.filter(({ type }) => type === 'secret') ?? []
  const secrets = rows.map(({ key }) => values[key])
  return withoutSecrets(notification.slice(0, longestSearched), secrets).slice(0, longestNotification)
}

/** Every line writes numbers its own way: they are kept in one. */
function inOneSpelling({ settings }: GatewayContext, fax: IncomingFax): IncomingFax {
  const spelled = (number: string | null) => number && spellNumber(number, settings.current().default_country)
  return { ...fax, from: spelled(fax.from), to: spelled(fax.to) }
}

function withLiveCall({ providers }: GatewayContext, provider: string, fax: IncomingFax): IncomingFax {
  const call = mergeRecords(providers.opened(provider)?.receivedCall?.(fax.providerId), fax.call)
  return call ? { ...fax, call } : fax
}

/**
 * Records an incoming fax: a document that was pushed is stored first, then the fax commits as waiting together with
 * the work that will finish it. A repeat changes nothing, unless it makes clear what was not, or brings the first document. Undefined while receiving is off.
 */
export async function receiveFax(
  context: GatewayContext,
  provider: string,
  given: IncomingFax,
): Promise<Received | undefined> {
  if (!context.settings.current().inbound_enabled) return undefined
  const id = inboundId(provider, given.providerId)
  const fax = inOneSpelling(context, plainFax(withLiveCall(context, provider, given)))
  const known = await findInbound(context.database.db, id)
  if (known) {
    await takeLaterNotice(context, known, fax)
    const news = newsOfCall(known, fax.call)
    if (news.call_record !== undefined) await updateInbound(context.database.db, id, news)
    return { id, repeat: true }
  }
  // The sender must deliver the fax again while its document cannot be stored.
  await context.storage.check()
  const stored = await keepPushedDocument(context, id, fax.document)
  const now = context.now()
  const row = newRow({ id, provider, fax, stored, notice: noticeOf(context, provider, fax) }, now)
  const isNew = await transactTogether(context.database, async (tx) => {
    const group_id = await groupOfCalled(tx, fax.to, context.settings.current().default_country)
    if (!(await insertInbound(tx, { ...row, group_id }))) return false
    if (row.status === 'waiting') {
      await context.queue.enqueue(tx, [{ kind: inboundWork, subjectId: id, lane: inboundWork }])
    } else {
      await context.events.inboundFailed(
        { job_id: id, backend: provider, error: row.error, ...ofTest(row.is_test === 1) },
        tx,
      )
    }
    if (row.concern !== null)
      await context.events.inboundUnclear({ job_id: id, backend: provider, concern: row.concern }, tx)
    await context.database.signals.notify(tx, 'inbound')
    return true
  })
  if (!isNew && stored !== null) await context.storage.remove(stored)
  return { id, repeat: !isNew }
}

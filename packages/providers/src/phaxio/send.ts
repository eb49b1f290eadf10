import { setTimeout as sleep } from 'node:timers/promises'
import {
  type UncertainAttempt,
  type Host,
  type Line,
  listFrom,
  listsReachPast,
  formFile,
  notListed,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
  readPages,
} from '@faxdeck/provider-kit'
import { openAccount, type PhaxioAccount } from './account.ts'
import { attemptOf, createdAt, listedOf, pagingOf, type PhaxioFax, readFax, updateOf } from './fax.ts'
import { incomingOf } from './received.ts'

const perPage = 100
/** Phaxio cancels some time after it was asked to: how long we wait for it, between looks. */
const cancelPausesMs = [200, 400, 800, 1600, 3200]

/** Where Phaxio reports an attempt: our address of the account's own, with the attempt in its query. */
function callbackUrlOf(fax: OutgoingFax, settings: ProviderSettings): string | null {
  const own = settings.phaxio_status_callback_url
  if (typeof own !== 'string' || own === '') return fax.callbackUrl
  const url = new URL(own)
  url.searchParams.set('attempt', fax.attemptId)
  return url.href
}

async function formOf(fax: OutgoingFax, settings: ProviderSettings): Promise<FormData> {
  const form = new FormData()
  form.append('to', fax.to)
  form.append('tag[attempt]', fax.attemptId)
  const callbackUrl = callbackUrlOf(fax, settings)
  if (callbackUrl !== null) form.append('callback_url', callbackUrl)
  if (fax.headerText !== undefined) form.append('header_text', fax.headerText)
  const from = fax.from ?? settings.phaxio_caller_id
  if (from) form.append('caller_id', String(from))
  if (settings.phaxio_document === 'link') form.append('content_url', await fax.documentUrl())
  else form.append('file', formFile(await fax.pdf(), 'application/pdf'), 'fax.pdf')
  return form
}

/** The faxes of an answer. @throws {ProviderProblem} `uncertain` for what is no list of faxes, which proves nothing */
function faxesOf(data: unknown): PhaxioFax[] {
  const faxes = Array.isArray(data) ? data.map(readFax) : [undefined]
  const read = faxes.filter((fax) => fax !== undefined)
  if (read.length === faxes.length) return read
  throw new ProviderProblem('uncertain', 'Phaxio answered with something that is not a list of faxes.')
}

const listFaxes = (account: PhaxioAccount, filter: Record<string, string>, since: Date, signal: AbortSignal) =>
  readPages('Phaxio', perPage, async (page) => {
    const created_after = since.toISOString()
    const query = new URLSearchParams({ ...filter, created_after, per_page: String(perPage) })
    if (page !== undefined) query.set('page', String(page))
    const answer = await account.ask(`faxes?${query}`, signal)
    return { items: faxesOf(answer?.data), ...pagingOf(answer?.paging) }
  })

/** The attempt is asked for by the tag it was given, and so is the fax that shows how far the list reaches. */
async function findAttempt(account: PhaxioAccount, attemptId: string, attempt: UncertainAttempt, signal: AbortSignal) {
  const since = listFrom(attempt)
  const taggedWith = (id: string) => listFaxes(account, { 'tag[attempt]': id, direction: 'sent' }, since, signal)
  const reachesPast = await listsReachPast(attempt, async (witness) => {
    const listed = await taggedWith(witness.attemptId)
    const fax = listed.find(({ id }) => id === witness.providerId)
    return fax && attemptOf(fax) === witness.attemptId ? createdAt(fax) : undefined
  })
  const listed = await taggedWith(attemptId)
  const ours = listed.find((fax) => attemptOf(fax) === attemptId)
  if (ours) return { taken: true, providerId: ours.id, update: updateOf(ours) } as const
  // Others than ours in the list: the search was not understood, so that it proves nothing.
  if (listed.length > 0) throw new ProviderProblem('uncertain', 'Phaxio could not be asked about this fax.')
  return notListed('Phaxio', reachesPast)
}

/** Asks for the cancellation and waits a moment for it, because Phaxio promises only to try. */
async function cancel(account: PhaxioAccount, id: string, signal: AbortSignal, pausesMs: number[]): Promise<boolean> {
  await account.ask(`faxes/${id}/cancel`, signal, { body: new URLSearchParams() })
  for (const pause of pausesMs) {
    await sleep(pause, undefined, { signal })
    const fax = readFax((await account.ask(`faxes/${id}`, signal))?.data)
    const update = fax?.id === id ? updateOf(fax) : undefined
    if (update?.state === 'failed') return update.kind === 'cancelled'
    if (update?.state === 'delivered') return false
  }
  return false
}

/** Opens the account at Phaxio. Nothing is kept open between requests. */
export function openPhaxio(host: Host, settings: ProviderSettings, pausesMs = cancelPausesMs): Line {
  const account = openAccount(host, settings)
  return {
    fetchesDocument: settings.phaxio_document === 'link',
    send: async (fax, signal) => {
      const answer = await account.ask('faxes', signal, { body: await formOf(fax, settings) })
      const taken = readFax(answer?.data)
      if (taken) return { providerId: taken.id, update: updateOf(taken) }
      throw new ProviderProblem('uncertain', 'Phaxio accepted the fax but returned no id.')
    },
    status: async (providerId, signal) => {
      const answer = await account.ask(`faxes/${encodeURIComponent(providerId)}`, signal, { missing: true })
      const fax = readFax(answer?.data)
      return fax && updateOf(fax)
    },
    find: (attemptId, signal, attempt) => findAttempt(account, attemptId, attempt, signal),
    cancel: (providerId, signal) => cancel(account, encodeURIComponent(providerId), signal, pausesMs),
    fetchDocument: (reference, signal) => account.fetchFile(encodeURIComponent(reference), signal),
    listReceived: async (since, signal) =>
      (await listFaxes(account, { direction: 'received' }, since, signal)).flatMap((fax) => incomingOf(fax) ?? []),
    listSent: async (since, signal) =>
      (await listFaxes(account, { direction: 'sent' }, since, signal))
        .filter((fax) => attemptOf(fax) !== undefined)
        .map(listedOf),
  }
}

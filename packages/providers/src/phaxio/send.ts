import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Host,
  type Line,
  MultipartForm,
  notListed,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
} from '@faxdeck/provider-kit'
import { openAccount, type PhaxioAccount } from './account.ts'
import { attemptOf, incomingOf, type PhaxioFax, readFax, updateOf } from './fax.ts'

const perPage = 100
/** A sweep that finds more than this asks again next time. */
const mostPages = 50
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

async function formOf(fax: OutgoingFax, settings: ProviderSettings): Promise<MultipartForm> {
  const form = new MultipartForm()
  form.append('to', fax.to)
  form.append('tag[attempt]', fax.attemptId)
  const callbackUrl = callbackUrlOf(fax, settings)
  if (callbackUrl !== null) form.append('callback_url', callbackUrl)
  if (settings.phaxio_caller_id) form.append('caller_id', String(settings.phaxio_caller_id))
  if (settings.phaxio_document === 'link') form.append('content_url', await fax.documentUrl())
  else form.attach('file', { name: 'fax.pdf', type: 'application/pdf', bytes: await fax.pdf() })
  return form
}

const faxesOf = (data: unknown): PhaxioFax[] => (Array.isArray(data) ? data.flatMap((each) => readFax(each) ?? []) : [])

async function listFaxes(account: PhaxioAccount, direction: string, since: Date, signal: AbortSignal) {
  const faxes: PhaxioFax[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = new URLSearchParams({
      direction,
      created_after: since.toISOString(),
      per_page: String(perPage),
      page: String(page),
    })
    const some = faxesOf((await account.ask(`faxes?${query}`, signal))?.data)
    faxes.push(...some)
    if (some.length < perPage) break
  }
  return faxes
}

/** Asks for the cancellation and waits a moment for it, because Phaxio promises only to try. */
async function cancel(account: PhaxioAccount, id: string, signal: AbortSignal): Promise<boolean> {
  await account.ask(`faxes/${id}/cancel`, signal, { body: new URLSearchParams() })
  for (const pause of cancelPausesMs) {
    await sleep(pause, undefined, { signal })
    const fax = readFax((await account.ask(`faxes/${id}`, signal))?.data)
    const update = fax && updateOf(fax)
    if (update?.state === 'failed') return update.kind === 'cancelled'
    if (update?.state === 'delivered') return false
  }
  return false
}

/** Opens the account at Phaxio. Nothing is kept open between requests. */
export function openPhaxio(host: Host, settings: ProviderSettings): Line {
  const account = openAccount(host, settings)
  return {
    send: async (fax, signal) => {
      const answer = await account.ask('faxes', signal, { body: await formOf(fax, settings) })
      const taken = readFax(answer?.data)
      if (taken) return { providerId: taken.id }
      throw new ProviderProblem('uncertain', 'Phaxio took the fax but did not say under which id.')
    },
    status: async (providerId, signal) => {
      const answer = await account.ask(`faxes/${encodeURIComponent(providerId)}`, signal, { missing: true })
      const fax = readFax(answer?.data)
      return fax && updateOf(fax)
    },
    find: async (attemptId, signal, handedOver) => {
      const query = new URLSearchParams({ 'tag[attempt]': attemptId, direction: 'sent' })
      const listed = faxesOf((await account.ask(`faxes?${query}`, signal))?.data)
      const ours = listed.find((fax) => attemptOf(fax) === attemptId)
      if (ours) return { taken: true, providerId: ours.id }
      // Others than ours in the list: the search was not understood, so that it proves nothing.
      if (listed.length > 0) throw new ProviderProblem('uncertain', 'Phaxio could not be asked for this fax alone.')
      return notListed('Phaxio', handedOver, host.now())
    },
    cancel: (providerId, signal) => cancel(account, encodeURIComponent(providerId), signal),
    fetchDocument: (reference, signal) => account.fetchFile(encodeURIComponent(reference), signal),
    listReceived: async (since, signal) =>
      (await listFaxes(account, 'received', since, signal)).flatMap((fax) => incomingOf(fax) ?? []),
    listSent: async (since, signal) =>
      (await listFaxes(account, 'sent', since, signal)).filter((fax) => attemptOf(fax) !== undefined).map(updateOf),
  }
}

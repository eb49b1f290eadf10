import {
  type UncertainAttempt,
  type Host,
  isLoopbackUrl,
  type Line,
  listFrom,
  matchAttempt,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
  refusalOf,
  type SendReceipt,
} from '@faxdeck/provider-kit'
import { type Account, accountOf, ask, name } from './account.ts'
import { readFax, readRefusal, updateOf } from './fax.ts'
import { fetchDocument } from './fetch-document.ts'
import { listFaxes } from './history.ts'
import { incomingOf } from './received.ts'

const ofNumber: ReadonlySet<number> = new Set([21603, 21604, 21605])
const queueIsFull = 21611

/** A refusal of a fax; some of SignalWire's numbers say more than the HTTP status. */
function refusalOfSend(answer: Parameters<typeof refusalOf>[1]): ProviderProblem {
  const { code, words } = readRefusal(answer.body)
  const problem = refusalOf(name, answer, words)
  if (problem.kind !== 'rejected' || code === undefined) return problem
  if (code === queueIsFull) return new ProviderProblem('rate_limited', problem.message, answer.retryAfterSeconds)
  return ofNumber.has(code) ? new ProviderProblem('bad_number', problem.message) : problem
}

/** Where SignalWire is to report: the address that is set, or the gateway's own. Null when nobody could follow it. */
function statusCallback({ callbackUrl }: OutgoingFax, settings: ProviderSettings): string | null {
  const own = settings.signalwire_status_callback_url
  if (typeof own !== 'string' || own === '') return callbackUrl
  const search = callbackUrl === null ? '' : new URL(callbackUrl).search
  return own + (own.includes('?') ? search.replace('?', '&') : search)
}

async function sendFax(fax: OutgoingFax, account: Account, { host, settings }: Opened, signal: AbortSignal) {
  if (isLoopbackUrl(host.publicUrl) && !isLoopbackUrl(account.origin)) {
    const sentence = `${name} fetches the document from the public API URL, but ${host.publicUrl} leads to this machine alone. Set PUBLIC_API_URL to an address that ${name} can reach.`
    throw new ProviderProblem('rejected', sentence)
  }
  const callback = statusCallback(fax, settings)
  const form = {
    To: fax.to,
    From: fax.from ?? account.from,
    MediaUrl: await fax.documentUrl(),
    Quality: fax.resolution ?? account.quality,
    StoreMedia: 'false',
    ...(callback ? { StatusCallback: callback, StatusCallbackMethod: 'POST' } : {}),
  }
  const answer = await ask(account, account.faxes, host, signal, form)
  if (answer.status < 200 || answer.status > 299) throw refusalOfSend(answer)
  const taken = readFax(answer.body)
  if (taken) return { providerId: taken.sid, update: updateOf(taken) } satisfies SendReceipt
  throw new ProviderProblem(
    'uncertain',
    `${name} answered ${answer.status} without the id of a fax, so it is unknown whether it accepted the fax.`,
  )
}

interface Opened {
  host: Host
  settings: ProviderSettings
}

async function statusOf(providerId: string, account: Account, host: Host, signal: AbortSignal) {
  const answer = await ask(account, `${account.faxes}/${encodeURIComponent(providerId)}`, host, signal)
  if (answer.status === 404) return undefined
  const fax = answer.status === 200 ? readFax(answer.body) : undefined
  if (fax) return fax
  throw refusalOf(name, answer, readRefusal(answer.body).words)
}

/**
 * SignalWire keeps no reference of ours, so only a single fax to the number at the time can be meant. It is asked for
 * attempts alone whose document was fetched.
 */
async function findAttempt(attempt: UncertainAttempt, account: Account, host: Host, signal: AbortSignal) {
  const faxes = await listFaxes(account, { To: attempt.to }, listFrom(attempt), host, signal)
  const own = attempt.from ?? account.from
  const sent = faxes.filter(({ direction, from }) => direction === 'outbound' && from === own)
  const listed = sent.map(({ sid, to, createdAt }) => ({ providerId: sid, to, createdAt }))
  const providerId = await matchAttempt(listed, attempt)
  if (providerId !== undefined) return { taken: true as const, providerId }
  throw new ProviderProblem('uncertain', `${name} lists no single fax that is certainly this one.`)
}

async function cancelFax(providerId: string, account: Account, host: Host, signal: AbortSignal): Promise<boolean> {
  const url = `${account.faxes}/${encodeURIComponent(providerId)}`
  const answer = await ask(account, url, host, signal, { Status: 'canceled' })
  if (answer.status >= 200 && answer.status < 300) {
    const fax = readFax(answer.body)
    return fax?.sid === providerId && fax.status === 'canceled'
  }
  const problem = refusalOf(name, answer, readRefusal(answer.body).words)
  // A refusal says that the fax has begun: there is no promise then, and nothing failed.
  if (problem.kind === 'rejected') return false
  throw problem
}

/** Opens a line to a SignalWire project (compatibility API). It holds nothing open. */
export function openSignalwire(host: Host, settings: ProviderSettings): Line {
  const account = accountOf(settings)
  return {
    fetchesDocument: true,
    send: (fax, signal) => sendFax(fax, account, { host, settings }, signal),
    status: async (providerId, signal) => {
      const fax = await statusOf(providerId, account, host, signal)
      return fax && updateOf(fax)
    },
    find: (_attemptId, signal, attempt) => findAttempt(attempt, account, host, signal),
    cancel: (providerId, signal) => cancelFax(providerId, account, host, signal),
    listSent: async (since, signal) => {
      const faxes = await listFaxes(account, { From: account.from }, since, host, signal)
      const sent = faxes.filter(({ direction }) => direction === 'outbound')
      return sent.map((fax) => ({ ...updateOf(fax), ...(fax.createdAt ? { at: fax.createdAt } : {}) }))
    },
    listReceived: async (since, signal) => {
      const faxes = await listFaxes(account, {}, since, host, signal)
      return faxes.filter(({ direction }) => direction === 'inbound').flatMap(incomingOf)
    },
    fetchDocument: (reference, signal) => fetchDocument(reference, account, host, signal),
  }
}

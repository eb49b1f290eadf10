import {
  asSentence,
  fetchReceived,
  type UncertainAttempt,
  type Host,
  type Line,
  formFile,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
  readFields,
  refusalOf,
  type SendReceipt,
} from '@faxdeck/provider-kit'
import { type Account, accountOf, ask, name } from './account.ts'
import { type FaxObject, readFax, updateOf, wordsOf } from './fax.ts'
import { History } from './history.ts'
import { incomingOf } from './received.ts'

const ofNumber = /\bnumber\b/i

/** The fax that was taken, in either shape of the answer; one of them may hold nothing but errors. */
function takenFax(body: unknown): FaxObject | undefined {
  const single = readFax(body)
  const both = readFields(body)
  if (single || !both) return single
  const [first] = both.list('success').map(readFax)
  const [refused] = both.list('errors')
  if (first || refused === undefined) return first
  const words = wordsOf(refused) ?? 'It gave no reason.'
  throw new ProviderProblem(
    ofNumber.test(words) ? 'bad_number' : 'rejected',
    `${name} refused the fax: ${asSentence(words)}`,
  )
}

async function sendFax(fax: OutgoingFax, account: Account, host: Host, signal: AbortSignal): Promise<SendReceipt> {
  const body = new FormData()
  body.append('faxNumber', fax.to)
  body.append('coverPage', 'false')
  body.append('subject', fax.attemptId)
  const from = fax.from ?? account.callerId
  if (from) body.append('callerId', from)
  body.append('attachments', formFile(await fax.pdf(), 'application/pdf'), 'fax.pdf')
  const answer = await ask(account, '/v1/faxes', host, signal, { body })
  if (answer.status < 200 || answer.status > 299) throw refusalOf(name, answer, wordsOf(answer.body))
  const taken = takenFax(answer.body)
  if (taken) return { providerId: taken.messageId, update: updateOf(taken, account) }
  const sentence = `${name} answered ${answer.status} without the id of a fax, so it is unknown whether it accepted the fax.`
  throw new ProviderProblem('uncertain', sentence)
}

async function statusOf(providerId: string, account: Account, host: Host, signal: AbortSignal) {
  const answer = await ask(account, `/v1/fax/${encodeURIComponent(providerId)}/info`, host, signal)
  if (answer.status === 404) return undefined
  const fax = answer.status === 200 ? readFax(answer.body) : undefined
  if (fax) return updateOf(fax, account)
  throw refusalOf(name, answer, wordsOf(answer.body))
}

/** A sweep overlaps with the one before it by more, so that it may use what another one had to wait too long for. */
const reconcileMaxAgeMs = 3 * 60_000
/** Clocks differ; this much earlier than it seems, a fax may stand in the history. */
const overlapMs = 6 * 3_600_000

function seekFrom({ at, begunAfter = at, overBy = at }: UncertainAttempt): Date {
  return new Date(Math.min(at.getTime(), begunAfter.getTime(), overBy.getTime()) - overlapMs)
}

/**
 * By the reference that was sent as the subject, and by nothing else. Whether Documo always gives subjects back is not
 * known, so that a history without the attempt proves nothing.
 */
async function findAttempt(
  attemptId: string,
  attempt: UncertainAttempt,
  { account, history }: { account: Account; history: History },
  signal: AbortSignal,
) {
  const isOurs = ({ subject, direction }: FaxObject) => subject === attemptId && direction !== 'inbound'
  const ours = history.recall(isOurs) ?? (await history.since(seekFrom(attempt), signal)).find(isOurs)
  if (ours) return { taken: true as const, providerId: ours.messageId, update: updateOf(ours, account) }
  throw new ProviderProblem('uncertain', `${name} lists no fax that is certainly this one.`)
}

/** Opens a line to Documo (mFax, version 1). */
export function openDocumo(host: Host, settings: ProviderSettings): Line {
  const account = accountOf(settings)
  const history = new History(account, host)
  const since = async (instant: Date, direction: string, signal: AbortSignal) => {
    const faxes = await history.since(instant, signal, reconcileMaxAgeMs)
    return faxes.filter((fax) => fax.direction === direction && fax.createdAt !== undefined && fax.createdAt >= instant)
  }
  return {
    send: (fax, signal) => sendFax(fax, account, host, signal),
    status: (providerId, signal) => statusOf(providerId, account, host, signal),
    find: (attemptId, signal, attempt) => findAttempt(attemptId, attempt, { account, history }, signal),
    listSent: async (instant, signal) =>
      (await since(instant, 'outbound', signal)).map((fax) => ({
        ...updateOf(fax, account),
        ...(fax.createdAt ? { at: fax.createdAt } : {}),
      })),
    listReceived: async (instant, signal) =>
      (await since(instant, 'inbound', signal)).flatMap((fax) => incomingOf(fax)),
    fetchDocument: (id, signal) => {
      const path = account.paths.download.replace('{id}', encodeURIComponent(id))
      return fetchReceived({ name, url: account.origin + path, authorization: account.authorization }, host, signal)
    },
    close: () => {
      history.close()
      return Promise.resolve()
    },
  }
}

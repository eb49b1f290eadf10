import { CallProblem } from '@faxdeck/contract/client'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import {
  listKeys,
  listKeysAs,
  makeSmokeKey,
  readFaxAs,
  readInbound,
  readInboundPdf,
  readJob,
  revokeKey,
  sendFax,
  simulateInbound,
} from './queries.ts'

/** A test that says what it does, line by line, and throws when something is not as it should be. */
export type Smoke = (say: (line: string) => void) => Promise<void>

/** Something answered, but not as it should. */
export class SmokeProblem extends Error {
  override name = 'SmokeProblem'
}

/** Where every test fax goes: the number that the test line delivers. Fictional everywhere else. */
export const testNumber = '+15555550123'

const testFile = () =>
  new File([`Faxdeck test fax\nSent by the Scripts & Tests screen at ${new Date().toISOString()}.\n`], 'smoke.txt', {
    type: 'text/plain',
  })

const everyMs = 2_000
const maxTries = 11

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, everyMs))

/** Asks every two seconds until the answer is final, about eleven times; answers the last. */
async function askUntil<T>(ask: () => Promise<T>, isFinal: (answer: T) => boolean): Promise<T> {
  let answer = await ask()
  for (let tries = 1; tries < maxTries && !isFinal(answer); tries += 1) {
    await pause()
    answer = await ask()
  }
  return answer
}

/** Sends two lines of text and waits for the outcome. */
export const sendSmoke: Smoke = async (say) => {
  const { id, status, pages } = await sendFax(testNumber, testFile())
  say(`ok    fax ${id.slice(0, 8)} accepted, ${pages ?? '?'} page, ${status}`)
  let known: string = status
  const job = await askUntil(
    async () => {
      const read = await readJob(id)
      if (read.status !== known) say(`      ${read.status}${read.error ? `: ${read.error}` : ''}`)
      known = read.status
      return read
    },
    (read) => ['SUCCESS', 'FAILED'].includes(read.status),
  )
  if (job.status === 'FAILED') throw new SmokeProblem(job.error ?? 'The fax failed.')
  if (job.status !== 'SUCCESS')
    throw new SmokeProblem(`The fax is still ${job.status.replace('_', ' ')}. Follow it on Jobs.`)
  say(`ok    delivered, ${job.pages_confirmed ?? 0} of ${job.pages} confirmed`)
}

const pdfMark = '%PDF-'

/** Lets a made fax arrive by the real way, and fetches its document. */
export const inboundSmoke: Smoke = async (say) => {
  const { id } = await simulateInbound()
  say(`ok    fax ${id.slice(0, 8)} announced`)
  const fax = await askUntil(
    () => readInbound(id),
    (read) => read.status !== 'waiting',
  )
  if (fax.status !== 'received') throw new SmokeProblem(fax.error ?? `The fax is ${fax.status}.`)
  say(`ok    received, ${fax.pages ?? 0} page, ${fax.size_bytes ?? 0} bytes, marked as a test`)
  const document = await readInboundPdf(id)
  const start = await document.slice(0, pdfMark.length).text()
  if (start !== pdfMark) throw new SmokeProblem('Its document is not a PDF.')
  say(`ok    its document is a PDF of ${document.size} bytes`)
}

const keyName = 'auth smoke test'
const lifeMs = 10 * 60_000
type Say = Parameters<Smoke>[0]

/** The status with which a call is refused; the calls here are meant to be. */
async function refusalOf(call: Promise<unknown>): Promise<number> {
  try {
    await call
  } catch (error) {
    if (error instanceof CallProblem) return error.status
    throw error
  }
  return 200
}

async function expectRefusal(say: Say, what: string, wanted: number, call: Promise<unknown>): Promise<void> {
  const status = await refusalOf(call)
  if (status !== wanted) throw new SmokeProblem(`${what} got ${status} instead of ${wanted}.`)
  say(`ok    ${what} is refused (${status})`)
}

/** Another secret of the same shape. */
const forged = (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')

async function tryKey(say: Say, token: string): Promise<void> {
  const { id, status } = await sendFax(testNumber, testFile(), token)
  say(`ok    the key sends: fax ${id.slice(0, 8)} is ${status}`)
  const read = await readFaxAs(token, id)
  if (read.id !== id) throw new SmokeProblem('The key read a different fax than the one it asked for.')
  say(`ok    the key reads: fax ${id.slice(0, 8)} is ${read.status}`)
  await expectRefusal(say, 'administering with the key', 403, listKeysAs(token))
  await expectRefusal(say, 'a wrong key', 401, readFaxAs(forged(token), id))
}

/** What a test that was cut off left behind. A key that has not expired may belong to a test under way. */
async function removeLeftovers(say: Say): Promise<void> {
  const isLeft = (expires: string | null) => expires !== null && Date.parse(expires) < gatewayNow()
  const left = (await listKeys()).filter(
    (key) => key.name === keyName && key.owner === 'demo' && isLeft(key.expires_at),
  )
  for (const { key_id: id } of left) {
    await revokeKey(id)
    say(`      key ${id} from an earlier test removed`)
  }
}

async function cleanUp(say: Say, id: string): Promise<void> {
  try {
    await revokeKey(id)
    say(`ok    key ${id} revoked`)
  } catch (error) {
    say(`FAIL  key ${id} could not be revoked. Revoke it under Settings › Keys; it expires within ten minutes.`)
    throw error
  }
}

/**
 * Makes a key that may send and read, uses it, sees that it may do no more and that a wrong one may do nothing, and
 * always takes it away again.
 */
export const authSmoke: Smoke = async (say) => {
  await removeLeftovers(say)
  const { key_id: id, token } = await makeSmokeKey(keyName, new Date(gatewayNow() + lifeMs))
  say(`ok    key ${id} created with fax:send and fax:read, owner demo`)
  try {
    await tryKey(say, token)
  } finally {
    await cleanUp(say, id)
  }
  await expectRefusal(say, 'the revoked key', 401, sendFax(testNumber, testFile(), token))
}

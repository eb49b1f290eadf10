import { CallProblem } from '@faxdeck/contract/client'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import { listKeys, listKeysAs, makeSmokeKey, readFaxAs, revokeKey, sendFax } from './queries.ts'
import { type Smoke, SmokeProblem, testFile, testNumber } from './smoke.ts'

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

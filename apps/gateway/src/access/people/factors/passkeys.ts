import { randomBytes } from 'node:crypto'
import type { MadePasskey, PasskeyAnswer } from '@faxdeck/contract'
import type { GatewayContext } from '../../../base/context.ts'
import type { ChallengePurpose, ChallengeRow, PasskeyRow } from '../../../base/db/tables/factors.ts'
import type { PersonRow } from '../../../base/db/tables/people.ts'
import { Problem } from '../../../base/http/answers/problem.ts'
import { openChallenge, type Subject, takeChallenge } from './challenges.ts'
import { findPasskey, readFactors } from './store.ts'

/** Read when a passkey is first made or used: with its certificates it is a quarter of all code of libraries. */
const webauthn = () => import('@simplewebauthn/server')

type Headers = Readonly<Record<string, string | undefined>>

/** The page that asks: browsers bind passkeys to its host name, and sign its origin. */
interface Site {
  origin: string
  host: string
}

/**
 * The guards have compared the Origin with our own names, so it is the public address of this console, also behind a proxy.
 * @throws {Problem} `passkey_refused` where browsers know no passkeys
 */
function siteOf({ origin = '' }: Headers): Site {
  const page = URL.parse(origin)
  if (!page || page.origin !== origin)
    throw new Problem('passkey_refused', 'Your browser does not say where this page came from.')
  if (/^[\d.]+$|^\[/.test(page.hostname))
    throw new Problem(
      'passkey_refused',
      'Passkeys need a host name. Open the console by its name, not by an IP address.',
    )
  return { origin, host: page.hostname }
}

/** Ed25519, ES256 and RS256 (RFC 9053): what authenticators have. */
const algorithms = [-8, -7, -257]

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const listed = ({ credential_id: id, transports }: PasskeyRow) => ({
  id,
  transports: JSON.parse(transports) as string[],
})

/** The challenge that an answer signs. @throws {Problem} `passkey_refused` */
function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    if (data !== null && typeof data === 'object' && 'challenge' in data && typeof data.challenge === 'string')
      return data.challenge
  } catch {
    // Answered below.
  }
  throw new Problem('passkey_refused')
}

/** Uses up the challenge that an answer signs. @throws {Problem} `sign_in_expired` when it is over or somebody else's */
async function requireChallenge(
  { database, now }: GatewayContext,
  purpose: ChallengePurpose,
  token: string,
  subject: Subject,
): Promise<ChallengeRow> {
  const taken = await takeChallenge(database.db, purpose, token, now())
  const isTheirs = taken && Object.entries(subject).every(([name, value]) => taken[name as keyof Subject] === value)
  if (!isTheirs) throw new Problem('sign_in_expired')
  return taken
}

/** What the library refuses, whatever it says, is not good here. */
async function orRefused<T extends { verified: boolean }>(verifying: Promise<T>): Promise<T> {
  const verdict = await verifying.catch(() => undefined)
  if (!verdict?.verified) throw new Problem('passkey_refused')
  return verdict
}

/** Asks a browser to make a passkey that signs its person in without a name or a password. */
export async function passkeyToMake(context: GatewayContext, headers: Headers, person: PersonRow, sessionId: string) {
  const { database, now } = context
  const { host } = siteOf(headers)
  const { passkeys } = await readFactors(database.db, person.id)
  const subject = { person_id: person.id, session_id: sessionId }
  const { token } = await openChallenge(database.db, 'passkey_add', now(), subject)
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: 'Faxdeck',
    rpID: host,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.id)),
    challenge: bytesOf(token),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: passkeys.map(listed),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { ...options }
}

/** What a browser made. @throws {Problem} `passkey_refused`, `sign_in_expired` */
export async function readMadePasskey(
  context: GatewayContext,
  headers: Headers,
  made: { response: MadePasskey; name: string },
  subject: { person_id: string; session_id: string },
): Promise<PasskeyRow> {
  const { origin, host } = siteOf(headers)
  const challenge = challengeOf(made.response)
  await requireChallenge(context, 'passkey_add', challenge, subject)
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await orRefused(
    verifyRegistrationResponse({
      response: made.response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  if (!registrationInfo) throw new Problem('passkey_refused')
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return {
    id: randomBytes(6).toString('hex'),
    person_id: subject.person_id,
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: JSON.stringify(transports),
    host,
    name: made.name,
    created_at: context.now().toISOString(),
    last_used_at: null,
  }
}

/** Asks a browser for a passkey: one of these, or any that it has for this console. */
export async function passkeyToUse(
  { database, now }: GatewayContext,
  headers: Headers,
  purpose: ChallengePurpose,
  { passkeys, ...subject }: Subject & { passkeys?: readonly PasskeyRow[] },
) {
  const { host } = siteOf(headers)
  const usable = passkeys?.filter((each) => each.host === host)
  if (usable?.length === 0) throw new Problem('passkey_refused', 'None of your passkeys was made for this address.')
  const { token } = await openChallenge(database.db, purpose, now(), subject)
  const allowed = usable ? { allowCredentials: usable.map(listed) } : {}
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: host,
    challenge: bytesOf(token),
    userVerification: 'required',
    ...allowed,
  })
  return { ...options }
}

/**
 * The passkey that an answer was signed with, and its counter now, which `usePasskey` compares and keeps.
 * @throws {Problem} `passkey_refused`, `sign_in_expired`
 */
export async function readUsedPasskey(
  context: GatewayContext,
  headers: Headers,
  response: PasskeyAnswer,
  { purpose, ...subject }: Subject & { purpose: ChallengePurpose },
): Promise<{ passkey: PasskeyRow; counter: number }> {
  const { origin, host } = siteOf(headers)
  const challenge = challengeOf(response)
  await requireChallenge(context, purpose, challenge, subject)
  const passkey = await findPasskey(context.database.db, response.id)
  const handle = response.response.userHandle
  const isNamed = !handle || Buffer.from(handle, 'base64url').toString() === passkey?.person_id
  if (!passkey || !isNamed || passkey.host !== host) throw new Problem('passkey_refused')
  const isOthers = subject.person_id !== undefined && subject.person_id !== passkey.person_id
  if (isOthers) throw new Problem('passkey_refused')
  const { verifyAuthenticationResponse } = await webauthn()
  const { authenticationInfo } = await orRefused(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      credential: { id: passkey.credential_id, publicKey: bytesOf(passkey.public_key), counter: passkey.counter },
    }),
  )
  return { passkey, counter: authenticationInfo.newCounter }
}

import { randomBytes } from 'node:crypto'
import type { Role } from '@faxdeck/contract'
import { takeBackSetUp } from '../../actors/ending.ts'
import type { GatewayContext } from '../../../base/context.ts'
import type { Tx } from '../../../base/db/database.ts'
import type { PersonRow } from '../../../base/db/tables/people.ts'
import { Problem } from '../../../base/http/answers/problem.ts'
import { holdAdministrators } from '../change-person.ts'
import { actorIdOf } from '../../actors/person-id.ts'
import { enrolForRole } from '../open-session.ts'
import { endSessions } from '../session-store.ts'
import { holdPerson } from '../../actors/still-good.ts'
import { emailKeyOf, findByEmail, findPerson, insertPerson, updatePerson } from '../store.ts'
import { assertDomain, type Claims, type Identity, mapsRoles, roleOf } from './claims.ts'
import { findByIdentity, hasIdentity, insertIdentity } from './store.ts'

/** Who acts where the provider's claims change something. */
const bySingleSignOn = 'single-sign-on'
const refuse = (sentence: string) => new Problem('sign_in_refused', sentence)
const unknown = 'You have no account here. Ask your administrator to invite you with the email address you use there.'
const noRole = 'Your account at the sign-in provider has no role here. Ask your administrator.'
const taken = 'Another account of the sign-in provider already belongs to this email address. Ask your administrator.'

const foreignLetters =
  'Your email address has letters that can be mistaken for others, so no account is opened with it. Sign in with a password, or ask your administrator.'

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

async function link(tx: Tx, { issuer, subject }: Identity, person: PersonRow, now: string): Promise<PersonRow> {
  await insertIdentity(tx, { issuer, subject, person_id: person.id, created_at: now })
  // Whoever else has the link could choose a password with it.
  return (await updatePerson(tx, person.id, { link_sha256: null, link_expires_at: null, link_by: null })) ?? person
}

/** The person of an identity: by its subject, else by an email address that the provider vouches for. */
async function match(tx: Tx, identity: Identity, now: string): Promise<PersonRow | undefined> {
  const known = await findByIdentity(tx, identity.issuer, identity.subject)
  if (known || identity.email === null) return known
  const found = await findByEmail(tx, identity.email)
  if (!found) return undefined
  // A letter that looks like another, or becomes it in lower case, as the Kelvin sign does, must not open the account.
  if (!isAscii(identity.email) || !isAscii(found.email)) throw refuse(foreignLetters)
  if (!identity.isVerified)
    throw refuse('The sign-in provider does not confirm your email address, so your account was not opened with it.')
  if (found.suspended === 1) return found
  // An address that was given to somebody else must not open what its former owner could.
  if (await hasIdentity(tx, found.id, identity.issuer)) throw refuse(taken)
  return link(tx, identity, found, now)
}

async function create(
  { events, now }: GatewayContext,
  tx: Tx,
  identity: Identity,
  role: Role | undefined,
): Promise<PersonRow> {
  const { email, name } = identity
  if (email === null || !identity.isVerified)
    throw refuse('The sign-in provider does not confirm your email address, which a new account needs.')
  if (role === undefined) throw refuse(noRole)
  const at = now().toISOString()
  const row: PersonRow = {
    id: randomBytes(6).toString('hex'),
    name,
    email,
    email_key: emailKeyOf(email),
    role,
    suspended: 0,
    password_hash: null,
    link_sha256: null,
    link_expires_at: null,
    link_by: null,
    created_at: at,
    created_by: bySingleSignOn,
    last_sign_in_at: null,
    factors_reset_at: null,
  }
  // Somebody else began to sign in with the same address at the same moment.
  if (!(await insertPerson(tx, row)))
    throw new Problem('conflict', 'This account is just being created. Sign in again.')
  await events.personInvited({ key_id: bySingleSignOn, person: row.id, name, role }, tx)
  return link(tx, identity, row, at)
}

/**
 * Gives a person the role of their claims; without one, the least, and none of their sessions goes on. The only
 * administrator who can sign in stays one.
 */
async function follow(
  context: GatewayContext,
  tx: Tx,
  person: PersonRow,
  claimed: Role | undefined,
): Promise<PersonRow> {
  const role = claimed ?? 'sender'
  if (claimed === person.role) return person
  const administrators = await holdAdministrators(context.database, tx)
  if (administrators.length === 1 && administrators[0] === person.id) return person
  if (claimed === undefined && (await endSessions(tx, person.id)) > 0) await context.database.signals.notify(tx, 'keys')
  if (role === person.role) return person
  const changed = (await updatePerson(tx, person.id, { role })) ?? person
  await enrolForRole(context, tx, changed)
  if (person.role === 'administrator') await takeBackSetUp(context, tx, [actorIdOf(person.id)], bySingleSignOn)
  await context.database.signals.notify(tx, 'keys')
  const what = { changed: ['role'], role, state: 'active' }
  await context.events.personChanged({ key_id: bySingleSignOn, person: person.id, name: person.name, ...what }, tx)
  return changed
}

/**
 * The person whom the provider vouches for, with the role that its claims give.
 * @returns the person, and why they are not let in although what was changed of them counts
 * @throws {Problem} `sign_in_refused` with the reason, which their provider knows as well
 */
export async function admit(context: GatewayContext, tx: Tx, identity: Identity, claims: Claims) {
  const settings = context.settings.current()
  assertDomain(identity, settings)
  const role = roleOf(claims, settings)
  const found = await match(tx, identity, context.now().toISOString())
  if (!found && !settings.oidc_create) throw refuse(unknown)
  const known = found ?? (await create(context, tx, identity, role))
  if (!(await holdPerson(tx, known.id))) throw refuse('Your account here is suspended. Ask your administrator.')
  const current = (await findPerson(tx, known.id)) ?? known
  if (!mapsRoles(settings)) return { person: current, refusal: undefined }
  const person = await follow(context, tx, current, role)
  const isKept = role === undefined && person.role === 'administrator'
  return { person, refusal: role === undefined && !isKept ? refuse(noRole) : undefined }
}

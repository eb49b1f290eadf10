import { type Permission, permissionsOf, permissionsOfRole, type Person, type Session } from '@faxdeck/contract'
import { type FakeCalls, findIn, Refusal } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import { instantOf, type World } from '../world.ts'
import { factorCalls, passkeyRequest } from './fake-factors.ts'
import { endPeople, letInBy } from './fake-let-in.ts'

const minute = 60_000
const taken = 'Somebody with this email address already has an account.'

/** Somebody with an account in the world. */
export function addPerson(world: World, fields: Partial<Person>): Person {
  const name = fields.name ?? 'Jane Doe'
  const person: Person = {
    id: world.nextId(12),
    name,
    email: `${name.toLowerCase().replaceAll(' ', '.')}@clinic.example`,
    role: 'operator',
    state: 'active',
    created_at: instantOf(world.now()),
    invited_by: { id: 'bootstrap', name: null },
    last_sign_in_at: null,
    link_expires_at: null,
    sessions: 0,
    second_factor: false,
    ...fields,
  }
  world.people.push(person)
  return person
}

/** How long the session of the person at the console lasts. */
const endsOf = (world: World) => ({
  idle_ends_at: instantOf(world.now() + 15 * minute),
  idle_seconds: world.idleSeconds ?? 15 * 60,
  ends_at: instantOf(world.now() + 12 * 60 * minute),
})

const browsers = [
  'Mozilla/5.0 (X11; Linux x64) Firefox/150.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0',
]

/** As many sessions as a person has open, the newest first. */
const sessionsOf = (world: World, { id, sessions }: Pick<Person, 'id' | 'sessions'>): Session[] =>
  Array.from({ length: sessions }, (_, n) => ({
    id: `3f2a9c0b7d${String(n).padStart(2, '0')}`,
    created_at: instantOf(world.now() - (20 + 60 * n) * minute),
    active_at: instantOf(world.now() - 3 * n * minute),
    ends_at: endsOf(world).ends_at,
    address: n === 0 ? '127.0.0.1' : '192.168.4.17',
    browser: browsers[n % browsers.length] ?? '',
    current: n === 0 && id === world.signedIn,
  })).filter((session) => !world.endedSessions.includes(session.id))

const invitedIn = (world: World) => findIn(world.people, ({ state }) => state === 'invited', 'invitation_refused')

function entering(world: World) {
  const enter = (person: Person) => {
    world.signedIn = person.id
    person.sessions = 1
    person.last_sign_in_at = instantOf(world.now())
    return { name: person.name, must_enrol: world.factors.mustEnrol, ...endsOf(world) }
  }
  /** Asks for a second factor where there is one. */
  const enterOrAsk = (person: Person) => {
    const { totp, passkeys, codes } = world.factors
    if (!totp && passkeys.length === 0) return { signed_in: enter(person), second_step: null }
    world.halfSignedIn = person.id
    const expires_at = instantOf(world.now() + 10 * minute)
    const ways = { totp: totp !== null, passkey: passkeys.length > 0, recovery_code: codes > 0 }
    return { signed_in: null, second_step: { token: world.nextId(43), expires_at, ...ways } }
  }
  const half = () => findIn(world.people, ({ id }) => id === world.halfSignedIn, 'sign_in_expired')
  return { enter, enterOrAsk, half }
}

const contactOf = ({ settings }: World) => {
  const { sign_in_contact: contact } = settings.saved
  return typeof contact === 'string' ? contact : null
}

function signInCalls(world: World) {
  const { enter, enterOrAsk, half } = entering(world)
  return {
    getSignIn: () => ({
      people: world.people.length > 0,
      single_sign_on: world.singleSignOn ?? null,
      contact: contactOf(world),
    }),
    startSingleSignOn: () => ({ url: 'https://login.clinic.example/authorize' }),
    finishSingleSignOn: ({ body }) => {
      const person = world.people.find(({ state }) => state === 'active')
      if (!person || body.answer.includes('error='))
        throw new Refusal('sign_in_refused', 'The sign-in was canceled at the provider.')
      return enter(person)
    },
    signIn: ({ body }) => {
      const person = world.people.find(({ email, state }) => email === body.email.trim() && state === 'active')
      if (!person || body.password === 'wrong') throw new Refusal('sign_in_refused')
      return enterOrAsk(person)
    },
    signInWithCode: ({ body }) => {
      const person = half()
      if (body.code.replace(/\s/g, '') === '000000') throw new Refusal('second_step_refused')
      world.halfSignedIn = undefined
      return enter(person)
    },
    askForPasskey: () => passkeyRequest(world),
    signInWithPasskey: () => enter(half()),
    readInvitation: () => {
      const invited = invitedIn(world)
      return { name: invited.name, email: invited.email }
    },
    acceptInvitation: () => {
      const invited = invitedIn(world)
      invited.state = 'active'
      return enterOrAsk(invited)
    },
  } satisfies FakeCalls
}

function accountCalls(world: World) {
  const own = () => findIn(world.people, ({ id }) => id === world.signedIn, 'person_required')
  return {
    getAccount: () => {
      const person = world.people.find(({ id }) => id === world.signedIn)
      if (!person)
        return {
          person: null,
          permissions: [...permissionsOf(['keys:manage'])],
          session: null,
          must_enrol: false,
          factors_reset_at: null,
        }
      const { id, name, email, role } = person
      const must_enrol = world.factors.mustEnrol
      const permissions: Permission[] = must_enrol ? ['own_account'] : [...permissionsOfRole(role)]
      const factors_reset_at = world.factors.resetAt
      return { person: { id, name, email, role }, permissions, session: endsOf(world), must_enrol, factors_reset_at }
    },
    staySignedIn: () => {
      world.idleSeconds = undefined
      return { name: own().name, must_enrol: world.factors.mustEnrol, ...endsOf(world) }
    },
    signOut: () => {
      world.signedIn = undefined
      return { provider_url: null }
    },
    changePassword: ({ body }) => {
      own()
      if (body.current === 'wrong') throw new Refusal('sign_in_refused', 'The current password is wrong.')
    },
    listOwnSessions: () => sessionsOf(world, own()),
    endOwnSession: ({ params }) => {
      world.endedSessions.push(params.id)
    },
    endOtherSessions: () => {
      const others = sessionsOf(world, own()).filter(({ current }) => !current)
      world.endedSessions.push(...others.map(({ id }) => id))
      return { ended: others.length }
    },
  } satisfies FakeCalls
}

/** What people have open, and what they would leave. */
function openCalls(world: World, find: (id: string) => Person) {
  return {
    getPersonLeavings: ({ params, query }) => {
      const { id } = find(params.id)
      const { leavings, ended } = letInBy(world, `person:${id}`, { ...query, person_ids: query.person_ids?.split(',') })
      return leavings(ended)
    },
    listPersonSessions: ({ params }) => sessionsOf(world, find(params.id)),
    endPersonSession: ({ params }) => {
      const person = find(params.id)
      if (person.sessions === 0) throw new Refusal('session_not_found')
      person.sessions--
    },
    endSessions: ({ params }) => Object.assign(find(params.id), { sessions: 0 }),
  } satisfies FakeCalls
}

export function peopleCalls(world: World) {
  const find = (wanted: string) => findIn(world.people, ({ id }) => id === wanted, 'person_not_found')
  const withLink = (person: Person) => {
    const token = world.nextId(43)
    person.link_expires_at = instantOf(world.now() + 72 * 60 * minute)
    return { person, token, path: `/admin-demo/#invitation=${token}` }
  }
  return {
    ...signInCalls(world),
    ...accountCalls(world),
    ...factorCalls(world),
    ...openCalls(world, find),
    listPeople: () => world.people,
    invitePerson: ({ body }) => {
      if (world.people.some(({ email }) => email.toLowerCase() === body.email.toLowerCase()))
        throw new Refusal('conflict', taken)
      const person = addPerson(world, { ...body, state: 'invited' })
      addEvent(world, 'person_invited', { person: person.id })
      return withLink(person)
    },
    renewInvitation: ({ params }) => withLink(find(params.id)),
    updatePerson: ({ params, body: { suspended, issued, people, person_ids, ...rest } }) => {
      const before = find(params.id)
      const canSignIn = world.people.filter(({ role, state }) => role === 'administrator' && state === 'active')
      const steps = suspended === true || (rest.role ?? 'administrator') !== 'administrator'
      if (steps && canSignIn.length === 1 && canSignIn[0] === before)
        throw new Refusal(
          'conflict',
          'This is the only administrator who can sign in. Make somebody else an administrator first, and let them sign in.',
        )
      const isTaken = world.people.some((other) => other !== before && other.email === rest.email)
      if (isTaken) throw new Refusal('conflict', taken)
      if (rest.email !== undefined) Object.assign(before, { sessions: 0, link_expires_at: null })
      const { ended, chosen } = letInBy(world, `person:${before.id}`, { issued, people, person_ids })
      world.keys = world.keys.filter((key) => !ended.includes(key))
      endPeople(chosen, people)
      const person = Object.assign(before, rest)
      const state = person.last_sign_in_at === null ? 'invited' : 'active'
      if (suspended !== undefined) person.state = suspended ? 'suspended' : state
      if (suspended) person.sessions = 0
      return person
    },
    resetFactors: ({ params }) => Object.assign(find(params.id), { sessions: 0, second_factor: false }),
  } satisfies FakeCalls
}

import type { Permission } from '@faxdeck/contract'
import type { GatewayContext } from '../context.ts'
import type { PersonRow } from '../db/tables/people.ts'
import { transact } from '../db/transact.ts'
import type { Caller, Handlers } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import { cookieFor, endedCookie, sessionTokenOf } from '../http/session-cookie.ts'
import type { SingleSignOn } from './oidc/single-sign-on.ts'
import { personIdOf } from './person-id.ts'
import { presentSessions } from './present-sessions.ts'
import { endSessions } from './session-store.ts'
import { acceptInvitation, bySelf, changePassword, requireInvited, signIn, type SignInParts } from './sign-in.ts'
import { findPerson, hasPeople } from './store.ts'

type Headers = Readonly<Record<string, string | undefined>>

const placeOf = ({ address }: Caller, headers: Headers) => ({ address, browser: headers['user-agent'] ?? '' })

/** The person who calls, with their session. @throws {Problem} `person_required` for the holder of a key */
async function requirePerson({ database }: GatewayContext, { keyId, sessionId }: Caller) {
  const id = personIdOf(keyId)
  if (id === undefined || sessionId === undefined) throw new Problem('person_required')
  const person = await findPerson(database.db, id)
  if (!person) throw new Problem('unauthorized')
  return { person, sessionId }
}

const presentAccount = ({ id, name, email, role }: PersonRow) => ({ id, name, email, role })

interface AccountParts extends SignInParts {
  singleSignOn: SingleSignOn
}

function signInHandlers(context: GatewayContext, parts: AccountParts) {
  const { sessions, singleSignOn } = parts
  const { settings } = context
  const enter = ({ token, row, person }: Awaited<ReturnType<typeof signIn>>, headers: Headers) => ({
    cookie: cookieFor(token, headers, settings.current().base_path),
    answer: { name: person.name, ...sessions.endsOf(row) },
  })
  return {
    getSignIn: async () => ({ people: await hasPeople(context.database.db), single_sign_on: singleSignOn.offered() }),
    startSingleSignOn: async ({ caller, headers, setHeader }) => {
      const { url, cookie } = await singleSignOn.start(headers, caller.address)
      setHeader('set-cookie', cookie)
      return { url }
    },
    // The provider has asked for whatever factors it wants: none of ours follow.
    finishSingleSignOn: async ({ body, caller, headers, setHeader }) => {
      const opened = await singleSignOn.finish(body.answer, headers, placeOf(caller, headers))
      const { cookie, answer } = enter(opened, headers)
      setHeader('set-cookie', cookie)
      return answer
    },
    signIn: async ({ body, caller, headers, setHeader }) => {
      const opened = await signIn(context, parts, { ...body, ...placeOf(caller, headers) })
      const { cookie, answer } = enter(opened, headers)
      setHeader('set-cookie', cookie)
      return answer
    },
    readInvitation: async ({ body }) => {
      const { name, email } = await requireInvited(context, body.token)
      return { name, email }
    },
    acceptInvitation: async ({ body, caller, headers, setHeader }) => {
      const opened = await acceptInvitation(context, parts, { ...body, ...placeOf(caller, headers) })
      const { cookie, answer } = enter(opened, headers)
      setHeader('set-cookie', cookie)
      return answer
    },
  } satisfies Partial<Handlers>
}

/** Ends a session of a person's own, and whatever stream is open in it. */
async function endOwn(context: GatewayContext, person: PersonRow, id: string, isSignOut: boolean): Promise<void> {
  const { database, events } = context
  await transact(database, async (tx) => {
    const count = await endSessions(tx, person.id, { only: id })
    if (count === 0 && !isSignOut) throw new Problem('session_not_found')
    await database.signals.tell(tx, 'keys')
    if (isSignOut) await events.personSignedOut(bySelf(person), tx)
    else await events.sessionsEnded({ ...bySelf(person), count }, tx)
  })
}

/** Signing in, and what people do with their own account. */
export function accountHandlers(context: GatewayContext, parts: AccountParts) {
  const { sessions, singleSignOn } = parts
  const { settings } = context
  return {
    ...signInHandlers(context, parts),
    getAccount: async ({ caller, headers }) => {
      const permissions = [...caller.permissions] as Permission[]
      if (caller.kind === 'key') return { person: null, permissions, session: null }
      const { person } = await requirePerson(context, caller)
      const session = await sessions.find(sessionTokenOf({ headers }) ?? '')
      if (!session) throw new Problem('unauthorized')
      return { person: presentAccount(person), permissions, session: sessions.endsOf(session) }
    },
    staySignedIn: async ({ caller, headers, setHeader }) => {
      const { person } = await requirePerson(context, caller)
      const stayed = await sessions.stay(sessionTokenOf({ headers }) ?? '')
      if (!stayed) throw new Problem('unauthorized')
      if (stayed.token !== undefined)
        setHeader('set-cookie', cookieFor(stayed.token, headers, settings.current().base_path))
      return { name: person.name, ...sessions.endsOf(stayed.session) }
    },
    signOut: async ({ caller, headers, setHeader }) => {
      const { person, sessionId } = await requirePerson(context, caller)
      const session = await sessions.find(sessionTokenOf({ headers }) ?? '')
      await endOwn(context, person, sessionId, true)
      setHeader('set-cookie', endedCookie(headers, settings.current().base_path))
      return { provider_url: session ? await singleSignOn.endUrl(session, headers) : null }
    },
    changePassword: async ({ body, caller }) => {
      const own = await requirePerson(context, caller)
      await changePassword(context, parts, { ...own, ...body, address: caller.address })
      return undefined
    },
    listOwnSessions: async ({ caller }) => {
      const { person, sessionId } = await requirePerson(context, caller)
      return presentSessions(context, sessions, person.id, sessionId)
    },
    endOwnSession: async ({ params, caller }) => {
      const { person } = await requirePerson(context, caller)
      await endOwn(context, person, params.id, false)
      return undefined
    },
  } satisfies Partial<Handlers>
}

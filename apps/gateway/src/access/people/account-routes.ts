import type { Permission } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'
import { transact } from '../../base/db/transact.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { MinuteCounter } from '../../base/http/callers/minute-counter.ts'
import { senderOf } from '../../base/http/callers/network.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import {
  cookieFor,
  deviceCookieFor,
  deviceProofOf,
  endedCookie,
  sessionTokenOf,
} from '../../base/http/callers/session-cookie.ts'
import { deviceSeconds } from './devices.ts'
import type { SingleSignOn } from './oidc/single-sign-on.ts'
import type { OpenedSession } from './open-session.ts'
import { presentSessions, type Sessions } from './sessions.ts'
import { endSessions } from './session-store.ts'
import {
  acceptInvitation,
  bySelf,
  changePassword,
  type Entered,
  requireInvited,
  signIn,
  type SignInParts,
} from './sign-in.ts'
import { placeOf, requirePerson } from './own.ts'
import { finishWithCode, finishWithPasskey, askForPasskey } from './second-step.ts'
import { hasPeople } from './store.ts'

type Headers = Readonly<Record<string, string | undefined>>

const presentAccount = ({ id, name, email, role }: PersonRow) => ({ id, name, email, role })

interface AccountParts extends SignInParts {
  singleSignOn: SingleSignOn
}

/** For a passkey, from one address. */
const questionsPerMinute = 60

type Answer = { headers: Headers; setHeader: (name: string, value: string) => void }

/** How whoever has signed in is answered: with the cookies of the session and of the browser, or a question. */
function createEntry({ settings }: GatewayContext, { sessions, devices }: AccountParts) {
  const enter = ({ token, row, person }: OpenedSession, { headers, setHeader }: Answer) => {
    const { base_path: path } = settings.current()
    setHeader('set-cookie', cookieFor(token, headers, path))
    const proof = devices.cookieWith(deviceProofOf(headers, path), person.email_key)
    setHeader('set-cookie', deviceCookieFor(proof, headers, path, deviceSeconds))
    return { name: person.name, must_enrol: row.must_enrol === 1, ...sessions.endsOf(row) }
  }
  const enterOrAsk = (entered: Entered, answer: Answer) =>
    'secondStep' in entered
      ? { signed_in: null, second_step: entered.secondStep }
      : { signed_in: enter(entered, answer), second_step: null }
  return { enter, enterOrAsk }
}

function signInHandlers(context: GatewayContext, parts: AccountParts) {
  const { singleSignOn } = parts
  const [questions, answers] = [new MinuteCounter(context.now), new MinuteCounter(context.now)]
  const { enter, enterOrAsk } = createEntry(context, parts)
  return {
    getSignIn: async () => ({
      people: await hasPeople(context.database.db),
      single_sign_on: singleSignOn.offered(),
      contact: context.settings.current().sign_in_contact ?? null,
    }),
    startSingleSignOn: async ({ body, caller, headers, setHeader }) => {
      const { url, cookie } = await singleSignOn.start(headers, caller.address, body.again)
      setHeader('set-cookie', cookie)
      return { url }
    },
    // The provider has asked for whatever factors it wants: none of ours follow.
    finishSingleSignOn: async ({ body, caller, headers, setHeader }) => {
      const opened = await singleSignOn.finish(body.answer, headers, placeOf(context, caller, headers))
      return enter(opened, { headers, setHeader })
    },
    signIn: async ({ body, caller, ...answer }) =>
      enterOrAsk(await signIn(context, parts, { ...body, ...placeOf(context, caller, answer.headers) }), answer),
    signInWithCode: async ({ body, caller, ...answer }) =>
      enter(await finishWithCode(context, parts, { ...body, ...placeOf(context, caller, answer.headers) }), answer),
    askForPasskey: ({ body, caller, headers }) => {
      // Each question is a row, and whoever asks has shown nothing yet.
      questions.limit(senderOf(caller.address), questionsPerMinute)
      return askForPasskey(context, headers, body.token)
    },
    signInWithPasskey: async ({ body, caller, ...answer }) => {
      const { token, response } = body
      // Each refusal is an entry of the trail.
      answers.limit(senderOf(caller.address), questionsPerMinute)
      const given = { token, response, headers: answer.headers, ...placeOf(context, caller, answer.headers) }
      return enter(await finishWithPasskey(context, parts, given), answer)
    },
    readInvitation: async ({ body }) => {
      const { name, email } = await requireInvited(context, body.token)
      return { name, email }
    },
    acceptInvitation: async ({ body, caller, ...answer }) =>
      enterOrAsk(
        await acceptInvitation(context, parts, { ...body, ...placeOf(context, caller, answer.headers) }),
        answer,
      ),
  } satisfies Partial<Handlers>
}

/** Ends a session of a person's own, and whatever stream is open in it. */
async function endOwn(context: GatewayContext, person: PersonRow, id: string, isSignOut: boolean): Promise<void> {
  const { database, events } = context
  await transact(database, async (tx) => {
    const count = await endSessions(tx, person.id, { only: id })
    if (count === 0 && !isSignOut) throw new Problem('session_not_found')
    await database.signals.notify(tx, 'keys')
    if (isSignOut) await events.personSignedOut(bySelf(person), tx)
    else await events.sessionsEnded({ ...bySelf(person), count }, tx)
  })
}

function endOthers({ database, events }: GatewayContext, person: PersonRow, except: string): Promise<number> {
  return transact(database, async (tx) => {
    const count = await endSessions(tx, person.id, { except })
    if (count === 0) return 0
    await database.signals.notify(tx, 'keys')
    await events.sessionsEnded({ ...bySelf(person), count }, tx)
    return count
  })
}

function ownSessionHandlers(context: GatewayContext, sessions: Sessions) {
  return {
    listOwnSessions: async ({ caller }) => {
      const { person, sessionId } = await requirePerson(context, caller)
      return presentSessions(context, sessions, person.id, sessionId)
    },
    endOtherSessions: async ({ caller }) => {
      const { person, sessionId } = await requirePerson(context, caller)
      return { ended: await endOthers(context, person, sessionId) }
    },
    endOwnSession: async ({ params, caller }) => {
      const { person } = await requirePerson(context, caller)
      await endOwn(context, person, params.id, false)
    },
  } satisfies Partial<Handlers>
}

/** Signing in, and what people do with their own account. */
export function accountHandlers(context: GatewayContext, parts: AccountParts) {
  const { sessions, singleSignOn } = parts
  const { settings } = context
  return {
    ...signInHandlers(context, parts),
    ...ownSessionHandlers(context, sessions),
    getAccount: async ({ caller, headers }) => {
      const permissions = [...caller.permissions] as Permission[]
      if (caller.kind === 'key')
        return { person: null, permissions, session: null, must_enrol: false, factors_reset_at: null }
      const { person } = await requirePerson(context, caller)
      const session = await sessions.find(sessionTokenOf({ headers }, settings.current().base_path) ?? '')
      if (!session) throw new Problem('unauthorized')
      const must_enrol = session.must_enrol === 1
      const { factors_reset_at } = person
      const until = sessions.endsOf(session)
      return { person: presentAccount(person), permissions, session: until, must_enrol, factors_reset_at }
    },
    staySignedIn: async ({ caller, headers, setHeader }) => {
      const { person } = await requirePerson(context, caller)
      const stayed = await sessions.stay(sessionTokenOf({ headers }, settings.current().base_path) ?? '')
      if (!stayed) throw new Problem('unauthorized')
      if (stayed.token !== undefined)
        setHeader('set-cookie', cookieFor(stayed.token, headers, settings.current().base_path))
      const must_enrol = stayed.session.must_enrol === 1
      return { name: person.name, must_enrol, ...sessions.endsOf(stayed.session) }
    },
    signOut: async ({ caller, headers, setHeader }) => {
      const { person, sessionId } = await requirePerson(context, caller)
      const session = await sessions.find(sessionTokenOf({ headers }, settings.current().base_path) ?? '')
      await endOwn(context, person, sessionId, true)
      setHeader('set-cookie', endedCookie(headers, settings.current().base_path))
      return { provider_url: session ? await singleSignOn.endUrl(session, headers) : null }
    },
    changePassword: async ({ body: { current, next }, caller, headers }) => {
      const own = await requirePerson(context, caller)
      await changePassword(context, parts, { ...own, current, next, place: placeOf(context, caller, headers) })
    },
  } satisfies Partial<Handlers>
}

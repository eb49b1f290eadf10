import { hash, randomBytes } from 'node:crypto'
import { permissionsOfRole, roles, type Session } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { PersonSessionRow, SignInWay } from '../../base/db/tables/people.ts'
import { transact } from '../../base/db/transact.ts'
import type { Actor } from '../../base/http/callers/keys.ts'
import type { SessionUse } from '../../base/http/callers/session-cookie.ts'
import { groupsOfPerson } from '../groups/members.ts'
import { openedBy } from '../groups/break-glass.ts'
import { actorIdOf } from '../actors/person-id.ts'
import * as store from './session-store.ts'

/** So long a person who signed in, or confirmed who they are, need not do so again. */
const freshMs = 10 * 60_000

/** Whether the person of a session has just proved who they are. */
const isFresh = ({ confirmed_at: at }: Pick<PersonSessionRow, 'confirmed_at'>, now: Date): boolean =>
  at !== null && now.getTime() - Date.parse(at) < freshMs

const minute = 60_000
/** A token is replaced once it is so old, when its person shows that they are there. */
const rotateAfterMs = 5 * minute
/** Calls that were under way with the token before are still answered. */
const graceMs = minute
/** Between two notes of when a person was there. */
const touchMs = 30_000

/** What somebody may do who has to set up a second factor first. */
const enrolling: Actor['permissions'] = new Set(['own_account'])

export const newToken = (): string => randomBytes(32).toString('base64url')
/** All that is kept of a token. Its 256 random bits need no slow hash. */
export const hashToken = (token: string): string => hash('sha256', token)

type SessionContext = Pick<GatewayContext, 'database' | 'settings' | 'events' | 'now'>

/** Where a session is opened. */
export interface Place {
  address: string
  browser: string
  /** What the browser brings to prove that somebody has signed in with it. */
  deviceProof?: string | undefined
}

/** The sessions of people: opened with a token that only the browser has, found by its hash, over when idle or too old. */
export class Sessions {
  readonly #context: SessionContext

  constructor(context: SessionContext) {
    this.#context = context
  }

  #limits() {
    const { session_idle_minutes: idle, session_hours: hours } = this.#context.settings.current()
    return { idleMs: idle * minute, longestMs: hours * 60 * minute }
  }

  /** What began, or was used last, before these is over. */
  bounds(): store.Bounds {
    const { idleMs, longestMs } = this.#limits()
    const now = this.#context.now().getTime()
    const at = (ms: number) => new Date(now - ms).toISOString()
    return { createdAfter: at(longestMs), activeAfter: at(idleMs) }
  }

  /** When a session ends: if nothing happens, and in any case. */
  endsOf({ active_at, created_at }: Pick<PersonSessionRow, 'active_at' | 'created_at'>) {
    const { idleMs, longestMs } = this.#limits()
    const end = Date.parse(created_at) + longestMs
    const idleEnd = Math.min(end, Date.parse(active_at) + idleMs)
    const left = Math.ceil((idleEnd - this.#context.now().getTime()) / 1000)
    return {
      idle_ends_at: new Date(idleEnd).toISOString(),
      idle_seconds: Math.max(0, left),
      ends_at: new Date(end).toISOString(),
    }
  }

  /** Writes a session; `openSession` decides what it is good for. @returns it, with the token that is kept nowhere */
  async open(
    tx: Tx,
    personId: string,
    { address, browser }: Place,
    { how, mustEnrol, provedAt }: { how: SignInWay; mustEnrol: boolean; provedAt?: Date | undefined },
  ) {
    const token = newToken()
    const now = this.#context.now().toISOString()
    const row: PersonSessionRow = {
      id: randomBytes(6).toString('hex'),
      person_id: personId,
      token_sha256: hashToken(token),
      previous_sha256: null,
      previous_until: null,
      rotated_at: now,
      created_at: now,
      active_at: now,
      address,
      browser: browser.slice(0, 300),
      id_token: null,
      oidc_sid: null,
      how,
      confirmed_at: provedAt?.toISOString() ?? now,
      must_enrol: Number(mustEnrol),
    }
    await store.insertSession(tx, row)
    return { token, row }
  }

  #look = (token: string) => store.findSession(this.#context.database.db, hashToken(token), this.bounds())

  /** Whether another token took the place of this one so long ago that nothing under way can still carry it. */
  #isReplaced({ token_sha256, previous_until }: PersonSessionRow, token: string): boolean {
    return token_sha256 !== hashToken(token) && (previous_until ?? '') <= this.#context.now().toISOString()
  }

  async find(token: string): Promise<store.SessionOfPerson | undefined> {
    const session = await this.#look(token)
    return session && !this.#isReplaced(session, token) ? session : undefined
  }

  /** Two browsers have the cookie, and nobody knows which of them is its person’s: neither goes on. */
  async #endCopied({ id, person_id: person, name }: store.SessionOfPerson): Promise<void> {
    const { database, events } = this.#context
    await transact(database, async (tx) => {
      const count = await store.endSessions(tx, person, { only: id })
      if (count === 0) return
      await database.signals.notify(tx, 'keys')
      await events.sessionsEnded({ key_id: actorIdOf(person), person, name, count, reason: 'cookie_copied' }, tx)
    })
  }

  /** The person a token stands for; undefined when its session is over, which it is with a token that was replaced. */
  async actorOf(token: string, { isThere, isNew }: SessionUse): Promise<Actor | undefined> {
    const session = await this.#look(token)
    if (!session) return undefined
    if (this.#isReplaced(session, token)) {
      if (isNew) await this.#endCopied(session)
      return undefined
    }
    if (isThere) await this.#touch(session)
    const mustEnrol = session.must_enrol === 1
    const faxAccess = roles[session.role].faxes
    return {
      kind: 'person',
      keyId: actorIdOf(session.person_id),
      permissions: mustEnrol ? enrolling : permissionsOfRole(session.role),
      faxAccess,
      ...(faxAccess === 'groups' ? await this.#reachOf(session.person_id) : {}),
      sessionId: session.id,
      ...(isFresh(session, this.#context.now()) ? { confirmed: true as const } : {}),
      ...(mustEnrol ? { mustEnrol: true as const } : {}),
    }
  }

  /** Read at each call, so that people who left a group stop seeing its faxes. */
  async #reachOf(personId: string): Promise<Pick<Actor, 'groups' | 'opened'>> {
    const { database, settings, now } = this.#context
    const groups = await groupsOfPerson(database.db, personId)
    if (settings.current().break_glass_minutes === 0) return { groups }
    return { groups, opened: await openedBy(database.db, personId, now().toISOString()) }
  }

  async #touch({ id, active_at }: PersonSessionRow): Promise<void> {
    const now = this.#context.now()
    if (now.getTime() - Date.parse(active_at) < touchMs) return
    await store.touchSession(this.#context.database.db, id, now.toISOString())
  }

  /**
   * Notes that a person is there, and replaces a token that is some minutes old.
   * @returns the session, and the token if it is a new one; undefined when the session is over
   */
  async stay(token: string): Promise<{ session: store.SessionOfPerson; token?: string } | undefined> {
    const { database, now } = this.#context
    const found = await this.find(token)
    if (!found) return undefined
    const at = now()
    const session = { ...found, active_at: at.toISOString() }
    await store.touchSession(database.db, found.id, session.active_at)
    // One that was replaced belongs to a session whose token is young.
    if (at.getTime() - Date.parse(found.rotated_at) < rotateAfterMs) return { session }
    const next = newToken()
    const isOurs = await store.rotateSession(database.db, hashToken(token), {
      token_sha256: hashToken(next),
      rotated_at: session.active_at,
      previous_until: new Date(at.getTime() + graceMs).toISOString(),
    })
    return isOurs ? { session, token: next } : { session }
  }
}

/** The sessions a person has open, newest first. @param current the session that asks; undefined for a key */
export async function presentSessions(
  { database }: Pick<GatewayContext, 'database'>,
  sessions: Sessions,
  personId: string,
  current: string | undefined,
): Promise<Session[]> {
  const found = await store.listSessions(database.db, sessions.bounds(), personId)
  return found.map((row) => {
    const { id, created_at, active_at, address, browser } = row
    const { idle_ends_at: ends_at } = sessions.endsOf(row)
    return { id, created_at, active_at, ends_at, address, browser, current: id === current }
  })
}

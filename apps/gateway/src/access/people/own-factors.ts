import type { MadePasskey } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { PersonRow } from '../../base/db/tables/people.ts'
import { transact } from '../../base/db/transact.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { sealNames } from '../../base/settings/seal.ts'
import { openChallenge, findChallenge, takeChallenge } from './factors/challenges.ts'
import { passkeyToMake, readMadePasskey } from './factors/passkeys.ts'
import * as store from './factors/store.ts'
import { newRecoveryCodes } from './factors/store.ts'
import { findStep, newTotpSecret, totpUri } from './factors/totp.ts'
import { requiresFactor } from './open-session.ts'
import { holdOwn, type Own } from './own.ts'
import { releaseSession } from './session-store.ts'
import type { Sessions } from './sessions.ts'
import { bySelf, type SignInParts } from './sign-in.ts'
import { updatePerson } from './store.ts'

type Headers = Readonly<Record<string, string | undefined>>
const maxPasskeys = 20

/** What people do with their own second factors. Who may change them is for the routes to ask. */
export class OwnFactors {
  readonly #context: GatewayContext
  readonly #sessions: Sessions

  constructor(context: GatewayContext, { sessions }: Pick<SignInParts, 'sessions'>) {
    this.#context = context
    this.#sessions = sessions
  }

  #at = () => this.#context.now().toISOString()

  /** @param confirmed whether they have proved who they are within the last minutes */
  async show({ person }: Own, confirmed: boolean) {
    const { totp, passkeys, recoveryCodes } = await store.readFactors(this.#context.database.db, person.id)
    return {
      totp: totp ? { created_at: totp.created_at, last_used_at: totp.last_used_at } : null,
      passkeys: passkeys.map(({ id, name, host, created_at, last_used_at }) => ({
        id,
        name,
        host,
        created_at,
        last_used_at,
      })),
      recovery_codes_left: recoveryCodes,
      required: requiresFactor(this.#context, person.role),
      has_password: person.password_hash !== null,
      confirmed,
    }
  }

  /** Changes factors in one transaction, one change of a person after the other, as long as the session is open. */
  #change<T>(own: Own, work: (tx: Tx) => Promise<T>): Promise<T> {
    return transact(this.#context.database, async (tx) => {
      await holdOwn(tx, this.#sessions, own)
      return work(tx)
    })
  }

  /** After a factor was added: its person may go on, and has recovery codes. @returns them when they are new */
  async #added(tx: Tx, { person, sessionId }: Own, factor: string, label?: string): Promise<string[] | null> {
    const { events } = this.#context
    await releaseSession(tx, sessionId)
    await events.factorAdded({ ...bySelf(person), factor, ...(label === undefined ? {} : { label }) }, tx)
    const { recoveryCodes } = await store.readFactors(tx, person.id)
    return recoveryCodes > 0 ? null : this.#makeCodes(tx, person)
  }

  async #makeCodes(tx: Tx, person: PersonRow): Promise<string[]> {
    const codes = newRecoveryCodes()
    await store.replaceRecoveryCodes(tx, person.id, codes, this.#at())
    await this.#context.events.recoveryCodesMade(bySelf(person), tx)
    return codes
  }

  /** After a factor was removed. @throws {Problem} `conflict` when it was the last one, and one is required */
  async #removed(tx: Tx, { person }: Own, factor: string, label?: string): Promise<void> {
    const left = await store.readFactors(tx, person.id)
    if (!store.hasFactor(left)) {
      if (requiresFactor(this.#context, person.role))
        throw new Problem('conflict', 'A second factor is required here. Add another one before you remove this one.')
      await store.replaceRecoveryCodes(tx, person.id, [], this.#at())
    }
    await this.#context.events.factorRemoved(
      { ...bySelf(person), factor, ...(label === undefined ? {} : { label }) },
      tx,
    )
  }

  /** A secret for an authenticator app. It takes effect once a code from it was correct. @throws {Problem} `conflict` */
  async startTotp({ person, sessionId }: Own, { host }: Headers) {
    const { database, settings, now } = this.#context
    const { totp } = await store.readFactors(database.db, person.id)
    if (totp) throw new Problem('conflict', 'An authenticator app is set up already. Remove it first.')
    const secret = newTotpSecret()
    const payload = settings.seals.seal(sealNames.totp(person.id), secret)
    const { token, expires_at } = await openChallenge(database.db, 'totp_add', now(), {
      person_id: person.id,
      session_id: sessionId,
      payload,
    })
    const place = host === undefined ? '' : ` (${host.replace(/:\d+$/, '')})`
    return { token, expires_at, secret, uri: totpUri(secret, person.email, `Faxdeck${place}`) }
  }

  /** @throws {Problem} `second_step_refused` for a wrong code, after which another one may be typed; `sign_in_expired` */
  async addTotp(own: Own, { token, code }: { token: string; code: string }) {
    const { database, settings, now } = this.#context
    const { person, sessionId } = own
    const begun = await findChallenge(database.db, 'totp_add', token, now())
    const isTheirs = begun?.person_id === person.id && begun.session_id === sessionId
    if (!isTheirs || begun.payload === null) throw new Problem('sign_in_expired')
    const step = findStep(
      settings.seals.unseal(sealNames.totp(person.id), begun.payload),
      code.replace(/\s/g, ''),
      now(),
    )
    if (step === undefined)
      throw new Problem(
        'second_step_refused',
        'The code is wrong. Check that the clock of your phone is right, and type the code it shows now.',
      )
    const at = this.#at()
    const row = { person_id: person.id, secret: begun.payload, last_step: step, created_at: at, last_used_at: at }
    return this.#change(own, async (tx) => {
      if (!(await takeChallenge(tx, 'totp_add', token, now()))) throw new Problem('sign_in_expired')
      if (!(await store.insertTotp(tx, row)))
        throw new Problem('conflict', 'An authenticator app is set up already. Remove it first.')
      return { recovery_codes: await this.#added(tx, own, 'totp') }
    })
  }

  removeTotp(own: Own): Promise<void> {
    return this.#change(own, async (tx) => {
      if (!(await store.removeTotp(tx, own.person.id))) throw new Problem('factor_not_found')
      await this.#removed(tx, own, 'totp')
    })
  }

  async startPasskey({ person, sessionId }: Own, headers: Headers) {
    const { passkeys } = await store.readFactors(this.#context.database.db, person.id)
    if (passkeys.length >= maxPasskeys)
      throw new Problem('conflict', `You have ${maxPasskeys} passkeys, the maximum. Remove one first.`)
    return passkeyToMake(this.#context, headers, person, sessionId)
  }

  async addPasskey(own: Own, headers: Headers, given: { name: string; response: MadePasskey }) {
    const subject = { person_id: own.person.id, session_id: own.sessionId }
    const row = await readMadePasskey(this.#context, headers, given, subject)
    return this.#change(own, async (tx) => {
      if (!(await store.insertPasskey(tx, row))) throw new Problem('conflict', 'This passkey is registered already.')
      return { recovery_codes: await this.#added(tx, own, 'passkey', row.name) }
    })
  }

  removePasskey(own: Own, id: string): Promise<void> {
    return this.#change(own, async (tx) => {
      const removed = await store.removePasskey(tx, own.person.id, id)
      if (!removed) throw new Problem('factor_not_found')
      await this.#removed(tx, own, 'passkey', removed.name)
    })
  }

  /** @throws {Problem} `factor_not_found` */
  renamePasskey(own: Own, id: string, name: string): Promise<void> {
    return this.#change(own, async (tx) => {
      const was = await store.renamePasskey(tx, own.person.id, id, name)
      if (was === undefined) throw new Problem('factor_not_found')
      if (was !== name) await this.#context.events.passkeyRenamed({ ...bySelf(own.person), label: name, was }, tx)
    })
  }

  /** They have read that an administrator reset their second factors. */
  acknowledgeReset(own: Own): Promise<void> {
    return this.#change(own, async (tx) => {
      await updatePerson(tx, own.person.id, { factors_reset_at: null })
    })
  }

  /** @throws {Problem} `conflict` for somebody without a factor that they stand in for */
  renewCodes(own: Own): Promise<{ recovery_codes: string[] }> {
    return this.#change(own, async (tx) => {
      const factors = await store.readFactors(tx, own.person.id)
      if (!store.hasFactor(factors))
        throw new Problem(
          'conflict',
          'Set up a passkey or an authenticator app first. Recovery codes are the fallback for these.',
        )
      return { recovery_codes: await this.#makeCodes(tx, own.person) }
    })
  }
}

import { sql } from 'kysely'
import type { GatewayContext } from '../../base/context.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { reverseDigits, soughtNumber, spellNumber } from '../../base/number.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { actorIdOf } from '../../access/actors/person-id.ts'
import { matchesNumber } from '../../paper/retention/same-number.ts'

/** Whose records are exported. */
export type Subject =
  { kind: 'number'; number: string; country: string } | { kind: 'person'; person: string; actor: string; name: string }

/** @throws {Problem} `bad_number`, `person_not_found` */
export async function readSubject(
  { database, settings }: GatewayContext,
  { kind, subject }: { kind: Subject['kind']; subject: string },
): Promise<Subject> {
  if (kind === 'number') {
    const { default_country: country } = settings.current()
    return { kind, number: soughtNumber(subject, country), country }
  }
  const found = await database.db.selectFrom('people').select('name').where('id', '=', subject).executeTakeFirst()
  if (!found) throw new Problem('person_not_found')
  return { kind, person: subject, actor: actorIdOf(subject), name: found.name }
}

/** The faxes sent to the number, or by the person. */
export function sentOf({ database: { db } }: GatewayContext, subject: Subject) {
  const jobs = db.selectFrom('fax_jobs')
  return subject.kind === 'person'
    ? jobs.where('caller_key_id', '=', subject.actor)
    : jobs.where('to_reversed', '=', reverseDigits(subject.number)).where('to_number', '=', subject.number)
}

/** Received faxes whose numbers may be the number; `isReceivedOf` tells which are. None belongs to a person. */
export function receivedNear({ database: { db } }: GatewayContext, subject: Subject) {
  const faxes = db.selectFrom('inbound_faxes')
  if (subject.kind === 'person') return faxes.where(sql<boolean>`1 = 0`)
  const wanted = sql`${subject.number}`
  const from = matchesNumber('inbound_faxes.from_number', wanted)
  return faxes.where(sql<boolean>`(${from} or ${matchesNumber('inbound_faxes.to_number', wanted)})`)
}

const isSame = (written: string | null, { number, country }: Extract<Subject, { kind: 'number' }>) =>
  written !== null && spellNumber(written, country) === number

/**
 * Whether a received fax is from or to the very number. Unlike a hold, which rather keeps too much, an export gives
 * nothing of another number away: a national number is read as one of the installation's country.
 */
export const isReceivedOf = (subject: Subject, fax: Pick<InboundFaxRow, 'from_number' | 'to_number'>): boolean =>
  subject.kind === 'number' && (isSame(fax.from_number, subject) || isSame(fax.to_number, subject))

/** The requests for approval of faxes to the number, or of the person. */
export function requestsOf({ database: { db } }: GatewayContext, subject: Subject) {
  const requests = db.selectFrom('fax_approvals')
  return subject.kind === 'person'
    ? requests.where('caller_key_id', '=', subject.actor)
    : requests.where('to_number', '=', subject.number)
}

/** The documents that the person has uploaded for later requests. No number is known of them. */
export function uploadsOf({ database: { db } }: GatewayContext, subject: Subject) {
  const uploads = db.selectFrom('fax_uploads')
  return subject.kind === 'person'
    ? uploads.where('caller_key_id', '=', subject.actor)
    : uploads.where(sql<boolean>`1 = 0`)
}
